package io.rotamq.storage;

import io.rotamq.core.port.Store.Kind;

/**
 * About how much there is of a kind.
 *
 * @param entries an estimate: what was deleted or replaced lately may count
 * @param fileBytes in tables, compressed
 * @param memoryBytes in write buffers
 * @param writtenBytes written to tables since the start, and written again by compaction; log files
 *     come on top, with the {@linkplain Activity#bytes() bytes of the batches}
 */
public record KindSize(
        Kind kind, long entries, long fileBytes, long memoryBytes, long writtenBytes) {}
