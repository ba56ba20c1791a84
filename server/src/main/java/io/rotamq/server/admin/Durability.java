package io.rotamq.server.admin;

import java.nio.file.Path;
import java.util.Optional;

/** What operators see and want of what outlives the process. Called on any thread. */
public interface Durability {
    /** Of a broker whose state ends with it. */
    Durability NONE =
            new Durability() {
                @Override
                public Health health() {
                    return new Health(true, "");
                }

                @Override
                public Optional<String> backup(Path target) {
                    return Optional.of("the broker stores nothing: storage.enabled is false");
                }
            };

    /**
     * How it is.
     *
     * @param serves whether clients should still be sent here
     * @param problem what is wrong; empty if nothing is
     */
    record Health(boolean serves, String problem) {}

    Health health();

    /**
     * Copies all that is stored now to a directory that does not exist or is empty.
     *
     * @return why it could not; empty if it is done
     */
    Optional<String> backup(Path target);
}
