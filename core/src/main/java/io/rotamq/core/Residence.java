package io.rotamq.core;

import io.rotamq.core.durable.SessionRecord;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.Timers.Timer;
import io.rotamq.mqtt.Will;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session on its shard: the client that is connected to it now, and what happens when that is
 * gone – the will that waits for its delay, the end of the session. Owned by the shard.
 */
final class Residence {
    final Session session;
    @Nullable Client client;

    /** Whether another session of the same client follows on this shard at once. */
    boolean nameKept;

    @Nullable Will pendingWill;
    @Nullable Timer willTimer;
    @Nullable Timer expiryTimer;

    /** Since when the client is away, by the wall clock. */
    long away = SessionRecord.CONNECTED;

    /** Of its publishes that are not handed over yet, or stand behind such. */
    final Deque<Receipt> receipts = new ArrayDeque<>(0);

    /** Of its QoS 2 publishes that are not safe yet, by packet identifier. */
    final Map<Integer, Receipt> unsettled = new HashMap<>(0);

    Residence(Session session) {
        this.session = session;
    }

    void cancelExpiry() {
        Timer timer = expiryTimer;
        expiryTimer = null;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Takes the will that waits; the client came back in time, or it is to be published now. */
    @Nullable Will takePendingWill() {
        Will will = pendingWill;
        pendingWill = null;
        Timer timer = willTimer;
        willTimer = null;
        if (timer != null) {
            timer.cancel();
        }
        return will;
    }
}
