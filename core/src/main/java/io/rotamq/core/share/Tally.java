package io.rotamq.core.share;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one member did with the messages that its group chose it for. Written by the member's shard
 * alone, without a locked instruction; read by anybody, a moment late.
 */
public final class Tally {
    private static final VarHandle DELIVERED = field("delivered");
    private static final VarHandle ACKNOWLEDGED = field("acknowledged");
    private static final VarHandle REFUSED = field("refused");
    private static final VarHandle REDISPATCHED = field("redispatched");

    private long delivered;
    private long acknowledged;
    private long refused;
    private long redispatched;

    /** A message was sent for the first time. */
    public void countDelivered() {
        DELIVERED.setOpaque(this, delivered + 1);
    }

    /** A delivery of QoS 1 or 2 was finished. */
    public void countAcknowledged() {
        ACKNOWLEDGED.setOpaque(this, acknowledged + 1);
    }

    /** A delivery was answered with a reason code of 0x80 or above. */
    public void countRefused() {
        REFUSED.setOpaque(this, refused + 1);
    }

    /** A message went back to the group, for others. */
    public void countRedispatched() {
        REDISPATCHED.setOpaque(this, redispatched + 1);
    }

    /** The counts by now. */
    public Counts counts() {
        return new Counts(
                (long) DELIVERED.getOpaque(this),
                (long) ACKNOWLEDGED.getOpaque(this),
                (long) REFUSED.getOpaque(this),
                (long) REDISPATCHED.getOpaque(this));
    }

    /**
     * Counts since a member joined.
     *
     * @param delivered messages sent to it, repeats excluded
     * @param acknowledged deliveries of QoS 1 and 2 that it finished
     * @param refused deliveries that it answered with a reason code of 0x80 or above
     * @param redispatched messages that it did not finish and that went back to the group
     */
    public record Counts(long delivered, long acknowledged, long refused, long redispatched) {
        public static final Counts NONE = new Counts(0, 0, 0, 0);

        public Counts plus(Counts more) {
            return new Counts(
                    delivered + more.delivered,
                    acknowledged + more.acknowledged,
                    refused + more.refused,
                    redispatched + more.redispatched);
        }
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(Tally.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
