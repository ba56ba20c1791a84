/**
 * What is durable, on RocksDB: the core's {@code Store} and {@code Log}. One thread writes what all
 * shards hand over, in groups with one sync each; another reads. Knows the core's ports and nothing
 * else of the broker.
 */
@NullMarked
package io.rotamq.storage;

import org.jspecify.annotations.NullMarked;
