package io.rotamq.storage;

import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Brings a store of an older format to the next. A step works on files that nobody has open, leaves
 * the store usable by the version before until it is done, and writes the new version last.
 */
interface Upgrade {
    /** Step n leads from format n + 1 to n + 2. None so far: there is one format. */
    List<Upgrade> STEPS = List.of();

    void run(Path directory) throws IOException;

    /** Runs what leads from one version to another. */
    static void all(Path directory, int from, int to) throws IOException {
        if (from < 1 || to - 1 > STEPS.size()) {
            throw new StoreException(
                    "%s: no way from format %d to %d".formatted(directory, from, to));
        }
        for (int version = from; version < to; version++) {
            STEPS.get(version - 1).run(directory);
        }
    }
}
