package io.rotamq.server.config;

import static io.rotamq.server.config.Quantities.GIB;

import java.util.List;

/** Bounds of all retained messages together. */
public record RetainedSettings(int maxMessages, long maxBytes) {
    static final Setting<Integer> MAX_MESSAGES =
            Setting.of(
                    "retained.max-messages",
                    Quantities.whole(0, 100_000_000),
                    "1000000",
                    "The most retained messages. A new topic beyond it is delivered but not"
                            + " retained, and counted.");
    static final Setting<Long> MAX_BYTES =
            Setting.of(
                    "retained.max-bytes",
                    Quantities.sizeOrShareOfHeap(0, 1024 * GIB),
                    "20%",
                    "The most bytes of retained messages, with the same effect.");

    static final Section SECTION =
            new Section("Retained messages", "", List.of(MAX_MESSAGES, MAX_BYTES));

    static RetainedSettings of(Values values) {
        return new RetainedSettings(values.get(MAX_MESSAGES), values.get(MAX_BYTES));
    }
}
