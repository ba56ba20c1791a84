package io.rotamq.server.config;

import io.rotamq.server.config.Kind.BadValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of value that are not quantities: words, names, files, patterns and lists of them. */
final class Kinds {
    private Kinds() {}

    static Kind<Boolean> flag() {
        return new Flag();
    }

    /** Any text, also none. */
    static Kind<String> text() {
        return new Text();
    }

    /** Text that is never shown. */
    static Kind<String> secret() {
        return new Secret();
    }

    /** A host name or an address to listen on. */
    static Kind<String> host() {
        return new Matching("a host name or an IP address", Pattern.compile("[^\\s/]+"));
    }

    /** The path of an HTTP request. */
    static Kind<String> urlPath() {
        return new Matching("a path that begins with /", Pattern.compile("/[^\\s?#]*"));
    }

    static <E extends Enum<E>> Kind<E> choice(Class<E> type) {
        return new Choice<>(List.of(type.getEnumConstants()));
    }

    /** One or more of the constants, separated by commas. */
    static <E extends Enum<E>> Kind<List<E>> choices(Class<E> type) {
        return new Choices<>(new Choice<>(List.of(type.getEnumConstants())));
    }

    static Kind<Path> directory() {
        return new Directory();
    }

    /** A file, or nothing. */
    static Kind<Optional<Path>> file() {
        return new OptionalFile();
    }

    /** A regular expression, or nothing. */
    static Kind<Optional<Pattern>> regex() {
        return new OptionalRegex();
    }

    static Kind<Glob> glob() {
        return new GlobText();
    }

    private record Flag() implements Kind<Boolean> {
        @Override
        public Boolean parse(String text, Path base) throws BadValue {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new BadValue(quoted(text) + " is neither true nor false");
            };
        }

        @Override
        public String allowed() {
            return "true or false";
        }
    }

    private record Text() implements Kind<String> {
        @Override
        public String parse(String text, Path base) {
            return text;
        }

        @Override
        public String allowed() {
            return "any text";
        }
    }

    private record Secret() implements Kind<String> {
        @Override
        public String parse(String text, Path base) {
            return text;
        }

        @Override
        public String allowed() {
            return "any text";
        }

        @Override
        public String show(String value) {
            return value.isEmpty() ? "" : "******";
        }

        @Override
        public boolean secret() {
            return true;
        }
    }

    private record Matching(String allowed, Pattern pattern) implements Kind<String> {
        @Override
        public String parse(String text, Path base) throws BadValue {
            if (!pattern.matcher(text).matches()) {
                throw new BadValue(quoted(text) + " is not " + allowed);
            }
            return text;
        }
    }

    private record Choice<E extends Enum<E>>(List<E> constants) implements Kind<E> {
        @Override
        public E parse(String text, Path base) throws BadValue {
            for (E constant : constants) {
                if (show(constant).equals(text)) {
                    return constant;
                }
            }
            throw new BadValue(quoted(text) + " is not one of the allowed values");
        }

        @Override
        public String allowed() {
            return constants.stream().map(this::show).collect(Collectors.joining(", "));
        }

        @Override
        public String show(E value) {
            return value instanceof Spelled spelled
                    ? spelled.spelling()
                    : value.name().toLowerCase(Locale.ROOT);
        }
    }

    private record Choices<E extends Enum<E>>(Choice<E> choice) implements Kind<List<E>> {
        @Override
        public List<E> parse(String text, Path base) throws BadValue {
            Stream.Builder<E> chosen = Stream.builder();
            for (String item : text.split(",", -1)) {
                chosen.add(choice.parse(item.strip(), base));
            }
            return chosen.build().distinct().sorted().toList();
        }

        @Override
        public String allowed() {
            return "a list of " + choice.allowed();
        }

        @Override
        public String show(List<E> value) {
            return value.stream().map(choice::show).collect(Collectors.joining(","));
        }

        @Override
        public boolean list() {
            return true;
        }
    }

    private record Directory() implements Kind<Path> {
        @Override
        public Path parse(String text, Path base) throws BadValue {
            return resolve(text, base)
                    .orElseThrow(
                            () -> new BadValue(quoted(text) + " is not the path of a directory"));
        }

        @Override
        public String allowed() {
            return "the path of a directory";
        }
    }

    private record OptionalFile() implements Kind<Optional<Path>> {
        @Override
        public Optional<Path> parse(String text, Path base) throws BadValue {
            if (text.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    resolve(text, base)
                            .orElseThrow(
                                    () ->
                                            new BadValue(
                                                    quoted(text) + " is not the path of a file")));
        }

        @Override
        public String allowed() {
            return "the path of a file";
        }

        @Override
        public String show(Optional<Path> value) {
            return value.map(Path::toString).orElse("");
        }
    }

    private record OptionalRegex() implements Kind<Optional<Pattern>> {
        @Override
        public Optional<Pattern> parse(String text, Path base) throws BadValue {
            try {
                return text.isEmpty() ? Optional.empty() : Optional.of(Pattern.compile(text));
            } catch (PatternSyntaxException e) {
                throw new BadValue(
                        quoted(text) + " is not a regular expression: " + e.getDescription());
            }
        }

        @Override
        public String allowed() {
            return "a regular expression";
        }

        @Override
        public String show(Optional<Pattern> value) {
            return value.map(Pattern::pattern).orElse("");
        }
    }

    private record GlobText() implements Kind<Glob> {
        @Override
        public Glob parse(String text, Path base) throws BadValue {
            if (text.isEmpty()) {
                throw new BadValue("the pattern is empty and would match nothing");
            }
            return new Glob(text);
        }

        @Override
        public String allowed() {
            return "a pattern in which * stands for any characters";
        }

        @Override
        public String show(Glob value) {
            return value.pattern();
        }
    }

    /** An enumeration whose words are not its lower-case names. */
    interface Spelled {
        String spelling();
    }

    static String quoted(String text) {
        return '"' + text + '"';
    }

    private static Optional<Path> resolve(String text, Path base) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(base.resolve(text).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
