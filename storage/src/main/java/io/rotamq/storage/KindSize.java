package io.rotamq.storage;

import io.rotamq.core.port.Store.Kind;

/**
 * About how much there is of a kind.
 *
 * @param entries an estimate: what was deleted or replaced lately may count
 * @param fileBytes in tables, compressed
 * @param memoryBytes in write buffers
 */
public record KindSize(Kind kind, long entries, long fileBytes, long memoryBytes) {}
