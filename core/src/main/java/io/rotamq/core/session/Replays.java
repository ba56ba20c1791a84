package io.rotamq.core.session;

import io.rotamq.core.index.Replay;
import io.rotamq.core.port.Connection;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayDeque;
import java.util.Deque;

/** The retained messages that a session is still to be sent. Owned by the session's shard. */
final class Replays {
    /** Unfinished replays of retained messages beyond which a filter has only its latest. */
    private static final int MANY_REPLAYS = 1_000;

    private final Deque<RetainedReplay> replays = new ArrayDeque<>(0);
    private final SessionPort port;
    private final Credit credit;
    private final Wire wire;

    Replays(SessionPort port, Credit credit, Wire wire) {
        this.port = port;
        this.credit = credit;
        this.wire = wire;
    }

    boolean isEmpty() {
        return replays.isEmpty();
    }

    /**
     * Retained messages for a subscription. They begin anew if it asks again before it got all: who
     * asks often and takes nothing must not pile up more than one replay.
     */
    void add(SubscriptionFilter filter, Replay<Message> retained, Grant grant) {
        if (replays.size() >= MANY_REPLAYS) {
            // A client that subscribes again and again and takes nothing: one for each filter.
            stop(filter);
        }
        replays.add(new RetainedReplay(filter, retained, grant));
    }

    /** The subscription is no more [MQTT-3.10.4-2]. */
    void stop(SubscriptionFilter filter) {
        replays.removeIf(replay -> replay.filter().equals(filter));
    }

    void clear() {
        replays.clear();
    }

    /** Sends one message, or finds that a replay is over; false if the client takes no more now. */
    boolean sendNext(Connection to) {
        RetainedReplay replay = replays.getFirst();
        Message message = replay.peek(port.now());
        if (message == null) {
            replays.removeFirst();
            return true;
        }
        boolean counted = replay.grant().qosOf(message) > 0;
        if (!to.isWritable() || (counted && !credit.take())) {
            wire.block(to);
            return false;
        }
        replay.pass();
        wire.replay(to, message, replay.grant());
        return true;
    }
}
