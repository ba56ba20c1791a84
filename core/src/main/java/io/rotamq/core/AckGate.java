package io.rotamq.core;

import io.rotamq.core.share.Brake;
import io.rotamq.mqtt.Packet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgements of one connection's publishes. They leave in the order of the publishes
 * [MQTT-4.6.0-2]; one whose message went to a group that is behind waits until the group is
 * relieved, one whose message is to be stored until that is safe, and so do those behind it. Owned
 * by the client's shard.
 */
final class AckGate {
    private final Deque<Held> held = new ArrayDeque<>(0);
    private final Out out;

    AckGate(Out out) {
        this.out = out;
    }

    /** Where acknowledgements leave. */
    interface Out {
        /**
         * An acknowledgement leaves.
         *
         * @param inVain whether the message could not be stored
         */
        void leave(Packet packet, boolean inVain);
    }

    private record Held(Packet packet, List<Brake> brakes, @Nullable Receipt receipt) {
        boolean mayLeave() {
            return isSafe(receipt) && brakes.stream().noneMatch(Brake::isOn);
        }
    }

    private static boolean isSafe(@Nullable Receipt receipt) {
        return receipt == null || receipt.isSettled();
    }

    /** True if the acknowledgement has to wait. */
    boolean acknowledge(Packet packet, List<Brake> slowedBy, @Nullable Receipt receipt) {
        if (held.isEmpty() && slowedBy.isEmpty() && isSafe(receipt)) {
            out.leave(packet, receipt != null && receipt.hasFailed());
            return false;
        }
        held.add(new Held(packet, List.copyOf(slowedBy), receipt));
        return true;
    }

    /** Lets go what need not wait any more; true if nothing is left. */
    boolean release() {
        for (Held first = held.peek(); first != null && first.mayLeave(); first = held.peek()) {
            Receipt receipt = first.receipt();
            held.remove();
            out.leave(first.packet(), receipt != null && receipt.hasFailed());
        }
        return held.isEmpty();
    }

    int size() {
        return held.size();
    }
}
