package io.rotamq.server.config;

import java.nio.file.Path;
import java.util.List;

/**
 * This process.
 *
 * @param data the directory for what outlives the process
 * @param shards the number of event loops, each with its part of the sessions; 0: one for two cores
 */
public record NodeSettings(Path data, int shards) {
    static final Setting<Path> DATA =
            Setting.of(
                    "node.data",
                    Kinds.directory(),
                    "data",
                    "The directory for what outlives the process. `--data` sets it too.");
    static final Setting<Integer> SHARDS =
            Setting.of(
                    "node.shards",
                    Quantities.whole(0, 64),
                    "0",
                    "The number of event loops, each of which owns a part of the sessions. 0: one"
                            + " for two cores, at least one.");

    static final Section SECTION = new Section("Node", "", List.of(DATA, SHARDS));

    static NodeSettings of(Values values) {
        return new NodeSettings(values.get(DATA), values.get(SHARDS));
    }
}
