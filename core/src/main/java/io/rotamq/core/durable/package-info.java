/**
 * What is written of durable state: one class for each kind of record, and the journal in which a
 * shard collects records and learns when they are safe. Records name things by numbers and texts
 * that mean the same on every node: no shard, no position in memory.
 */
@NullMarked
package io.rotamq.core.durable;

import org.jspecify.annotations.NullMarked;
