package io.rotamq.core.share;

/**
 * Slows the publishers that feed what is behind – a group, or one routing key of it – until it is
 * relieved. Put on and let go by the group's owner, and put on by any shard for a group; read by
 * all.
 */
public final class Brake {
    private volatile boolean on;
    private volatile boolean refusing;
    private volatile boolean spent;

    /** Owner shard only: since when it is on, in milliseconds; 0 if it is not. */
    private long since;

    /** Whether publishers are being slowed. */
    public boolean isOn() {
        return on;
    }

    /** Whether publishers are refused instead. */
    boolean isRefusing() {
        return refusing;
    }

    /** Whether slowing did not help in time: until relieved, the oldest are dropped. */
    boolean isSpent() {
        return spent;
    }

    void putOn() {
        on = true;
    }

    void refuse() {
        refusing = true;
    }

    /** Owner shard: the time of slowing runs from now on. */
    void starts(long now) {
        if (on && since == 0) {
            since = Math.max(1, now);
        }
    }

    /** Owner shard: whether it was on for so long. */
    boolean isOnFor(long limit, long now) {
        return on && since != 0 && now - since >= limit;
    }

    /** Owner shard: lets publishers go; true if they were being slowed. */
    boolean letGo() {
        boolean was = on;
        if (!was && !refusing) {
            return false;
        }
        on = false;
        refusing = false;
        since = 0;
        return was;
    }

    void spent(boolean now) {
        if (spent != now) {
            spent = now;
        }
    }
}
