package io.rotamq.core.port;

/** Makes a shard's loop call {@code Shard.run()} soon; called from any shard, once per burst. */
@FunctionalInterface
public interface Waker {
    void wake(int shard);
}
