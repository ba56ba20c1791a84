package io.rotamq.core;

import io.rotamq.core.share.Brake;
import io.rotamq.mqtt.Packet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The acknowledgements of one connection's publishes. They leave in the order of the publishes
 * [MQTT-4.6.0-2]; one whose message went to a group that is behind waits until the group is
 * relieved, and so do those behind it. Owned by the client's shard.
 */
final class AckGate {
    private final Deque<Held> held = new ArrayDeque<>(0);
    private final Consumer<Packet> out;

    AckGate(Consumer<Packet> out) {
        this.out = out;
    }

    private record Held(Packet packet, List<Brake> brakes) {
        boolean mayLeave() {
            return brakes.stream().noneMatch(Brake::isOn);
        }
    }

    /** True if the acknowledgement has to wait. */
    boolean acknowledge(Packet packet, List<Brake> slowedBy) {
        if (held.isEmpty() && slowedBy.isEmpty()) {
            out.accept(packet);
            return false;
        }
        held.add(new Held(packet, List.copyOf(slowedBy)));
        return true;
    }

    /** Lets go what need not wait any more; true if nothing is left. */
    boolean release() {
        for (Held first = held.peek(); first != null && first.mayLeave(); first = held.peek()) {
            out.accept(first.packet());
            held.remove();
        }
        return held.isEmpty();
    }

    int size() {
        return held.size();
    }
}
