package io.rotamq.server.config;

import java.nio.file.Path;

/**
 * The type of a setting's value: how its text is read, what is allowed, how it is shown. One
 * instance serves the reader, the messages and the reference page, so that they cannot disagree.
 */
interface Kind<T> {

    /**
     * Reads the text of one value.
     *
     * @param base the directory from which a relative path counts
     * @throws BadValue when the text is not allowed
     */
    T parse(String text, Path base) throws BadValue;

    /** What is allowed, as a phrase: {@code a whole number from 0 to 65535}. */
    String allowed();

    /** The value as an operator would write it. */
    default String show(T value) {
        return value.toString();
    }

    /** The value as it stands in a configuration file. */
    default String yaml(T value) {
        return YamlText.scalar(show(value));
    }

    /**
     * Whether a YAML list of scalars is accepted, meaning the same as its items joined by commas.
     */
    default boolean list() {
        return false;
    }

    /** Whether the value must not be shown. */
    default boolean secret() {
        return false;
    }

    /** The text is not allowed. Stackless; {@link Values} turns it into the operator's message. */
    final class BadValue extends Exception {
        private static final long serialVersionUID = 1L;

        BadValue(String problem) {
            super(problem, null, false, false);
        }
    }
}
