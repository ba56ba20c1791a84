package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.DurableBroker.Peer;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.SharingSettings;
import io.rotamq.core.port.Store.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A publisher, two subscribers and a group, all but one member with durable sessions, while shards
 * and store work in any order, connections break and the process ends at any moment. What was
 * acknowledged arrives: once at QoS 2, at least once at QoS 1, in order; and in the end nothing is
 * left in the store.
 */
class CrashTest {
    private static final int SEEDS = Integer.getInteger("rotamq.crash.seeds", 400);
    private static final int MESSAGES = 12;
    private static final String GROUP = "$share/g/t";

    @Test
    void whatWasAcknowledgedArrivesWhateverCrashes() {
        int from = Integer.getInteger("rotamq.crash.from", 0);
        for (int seed = from; seed < from + SEEDS; seed++) {
            try {
                new Run(seed).go();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static final class Run {
        private final Random random;
        private final DurableBroker broker;
        private final Publisher publisher = new Publisher();
        private final List<Subscriber> subscribers = new ArrayList<>();
        private final List<Subscriber> group = new ArrayList<>();
        private final int shards;
        private final int members;

        /** Whether the group has a member whose session ends with its connection. */
        private final boolean passing;

        /** Whether it has one that unsubscribes, and ends its durable session. */
        private final boolean leaving;

        Run(int seed) {
            random = new Random(seed);
            shards = 1 + random.nextInt(3);
            StrategyName[] strategies = StrategyName.values();
            Choice choice = Choice.of(strategies[random.nextInt(strategies.length)]);
            GroupSettings group =
                    new GroupSettings(
                            "test",
                            choice,
                            random.nextBoolean() ? OfflineMembers.SKIP : OfflineMembers.KEEP,
                            GroupSettings.DEFAULTS.backlog(),
                            GroupSettings.DEFAULTS.maximumMembers());
            CoreSettings defaults = CoreSettings.defaults(shards);
            broker =
                    new DurableBroker(
                            new CoreSettings(
                                    shards,
                                    defaults.protocol(),
                                    defaults.limits(),
                                    defaults.sessions(),
                                    SharingSettings.of(group)));
            leaving = random.nextBoolean() && choice.strategy() != StrategyName.EXCLUSIVE;
            passing = random.nextBoolean() && choice.strategy() != StrategyName.EXCLUSIVE;
            members = choice.strategy() == StrategyName.EXCLUSIVE ? 1 : 1 + random.nextInt(2);
        }

        void go() {
            subscribers.add(new Subscriber("a", 2));
            subscribers.add(new Subscriber("b", 1 + random.nextInt(2)));
            int groupQos = 1 + random.nextInt(2);
            for (int i = 0; i < members; i++) {
                group.add(new Subscriber("member" + i, groupQos));
            }
            for (Subscriber subscriber : subscribers) {
                subscriber.connect();
                peer(subscriber).subscribe("t", subscriber.qos);
            }
            for (Subscriber member : group) {
                member.connect();
                peer(member).subscribe(GROUP, groupQos);
            }
            subscribers.addAll(group);
            if (leaving) {
                Subscriber quitter = new Quitter(groupQos);
                group.add(quitter);
                subscribers.add(quitter);
            }
            if (passing) {
                Subscriber visitor = new Visitor(groupQos);
                group.add(visitor);
                subscribers.add(visitor);
            }
            broker.settle();
            for (int step = 0; step < 400; step++) {
                step();
            }
            finish();
        }

        private Peer peer(Participant participant) {
            Peer peer = participant.peer;
            assertThat(peer).isNotNull();
            return peer;
        }

        private void step() {
            int choice = random.nextInt(100);
            if (choice < 30) {
                broker.shard(random.nextInt(shards)).run();
            } else if (choice < 45) {
                broker.store().step();
            } else if (choice < 60) {
                publisher.publishNext();
            } else if (choice < 95) {
                any().handleNext();
            } else if (choice < 98) {
                any().drop();
            } else {
                crash();
            }
        }

        private Participant any() {
            int which = random.nextInt(subscribers.size() + 1);
            return which == subscribers.size() ? publisher : subscribers.get(which);
        }

        private void crash() {
            broker.crash();
            publisher.peer = null;
            subscribers.forEach(subscriber -> subscriber.peer = null);
        }

        private void finish() {
            for (int round = 0; round < 200; round++) {
                publisher.publishNext();
                broker.settle();
                publisher.handleAll();
                subscribers.forEach(Participant::handleAll);
            }
            broker.settle();
            assertThat(publisher.open).isEmpty();
            subscribers.get(0).check();
            subscribers.get(1).check();
            checkGroup();
            assertThat(broker.entries(Kind.BACKLOG)).as("backlog").isZero();
            assertThat(broker.entries(Kind.DELIVERY)).as("deliveries").isZero();
            assertThat(broker.entries(Kind.MESSAGE)).as("messages").isZero();
            assertThat(broker.entries(Kind.INBOUND)).as("inbound").isZero();
            nothingComesBack();
        }

        private void nothingComesBack() {
            crash();
            subscribers.forEach(Participant::connect);
            broker.settle();
            for (Subscriber subscriber : subscribers) {
                assertThat(peer(subscriber).received)
                        .as(subscriber.id)
                        .noneMatch(packet -> packet.contains("/") || packet.contains("PUBREL"));
            }
        }

        private void checkGroup() {
            List<Integer> exactlyOnce = new ArrayList<>();
            Set<Integer> atLeastOnce = new HashSet<>();
            for (Subscriber member : group) {
                exactlyOnce.addAll(member.exactlyOnce);
                atLeastOnce.addAll(member.atLeastOnce);
            }
            assertThat(exactlyOnce).as("group: never twice").doesNotHaveDuplicates();
            Set<Integer> got = new HashSet<>(exactlyOnce);
            got.addAll(atLeastOnce);
            for (int number = 1; number <= MESSAGES; number++) {
                boolean mayBeLost = (passing || leaving) && publisher.qos(number) == 2;
                assertThat(got.contains(number) || mayBeLost).as("group: %s", number).isTrue();
            }
        }

        /** A client that comes back whenever it has lost its connection. */
        private abstract class Participant {
            final String id;
            @Nullable Peer peer;

            Participant(String id) {
                this.id = id;
            }

            void connect() {
                peer = broker.peer(random.nextInt(shards), id).connect();
            }

            void drop() {
                Peer connected = peer;
                peer = null;
                if (connected != null) {
                    connected.drop();
                }
            }

            void handleNext() {
                Peer connected = peer;
                if (connected == null || connected.isClosed()) {
                    connect();
                } else if (!connected.received.isEmpty()) {
                    handle(connected, connected.received.removeFirst());
                }
            }

            void handleAll() {
                handleNext();
                Peer connected = peer;
                while (connected != null && !connected.received.isEmpty()) {
                    handleNext();
                }
            }

            abstract void handle(Peer connected, String packet);
        }

        private final class Publisher extends Participant {
            /** By packet identifier: whether PUBREC was received. */
            private final Map<Integer, Boolean> open = new LinkedHashMap<>();

            private boolean ready;
            private int last;

            Publisher() {
                super("p");
            }

            /** Of messages: every third has QoS 1. */
            private int qos(int number) {
                return number % 3 == 0 ? 1 : 2;
            }

            void publishNext() {
                Peer connected = peer;
                if (connected == null || connected.isClosed() || !ready || last == MESSAGES) {
                    return;
                }
                open.put(++last, false);
                connected.publish("t", qos(last), last);
            }

            @Override
            void connect() {
                ready = false;
                super.connect();
            }

            @Override
            void handle(Peer connected, String packet) {
                String[] words = packet.split(" ", 2);
                switch (words[0]) {
                    case "NEW", "RESUMED" -> resend(connected);
                    case "PUBACK", "PUBCOMP" -> open.remove(Integer.valueOf(words[1]));
                    case "PUBREC" -> {
                        int number = Integer.parseInt(words[1]);
                        open.put(number, true);
                        connected.pubrel(number);
                    }
                    default -> throw new AssertionError(packet);
                }
            }

            private void resend(Peer connected) {
                ready = true;
                for (Map.Entry<Integer, Boolean> entry : List.copyOf(open.entrySet())) {
                    int number = entry.getKey();
                    if (entry.getValue()) {
                        connected.pubrel(number);
                    } else {
                        connected.publish("t", qos(number), number);
                    }
                }
            }
        }

        /** A member of the group that unsubscribes, and at times begins anew. */
        private final class Quitter extends Subscriber {
            private boolean forgetful;

            Quitter(int qos) {
                super("quitter", qos);
            }

            @Override
            void connect() {
                // Who has forgotten its session may not resume it [MQTT-3.2.2-4].
                boolean clean = forgetful || random.nextInt(3) == 0;
                forgetful = clean;
                Peer connected = broker.peer(random.nextInt(shards), id);
                peer = connected;
                connected.connect(clean, 3_600, null);
                connected.subscribe(GROUP, qos);
            }

            @Override
            void handle(Peer connected, String packet) {
                if (packet.equals("NEW")) {
                    forgetful = false;
                    unreleased.clear();
                }
                super.handle(connected, packet);
            }

            @Override
            void handleNext() {
                Peer connected = peer;
                if (connected != null && random.nextInt(30) == 0) {
                    connected.unsubscribe(GROUP);
                    connected.subscribe(GROUP, qos);
                }
                super.handleNext();
            }
        }

        /** A member of the group whose session ends with its connection. */
        private final class Visitor extends Subscriber {
            Visitor(int qos) {
                super("visitor", qos);
            }

            @Override
            void connect() {
                unreleased.clear();
                Peer connected = broker.peer(random.nextInt(shards), id);
                peer = connected;
                connected.connect(true, 0, null);
                connected.subscribe(GROUP, qos);
            }
        }

        private class Subscriber extends Participant {
            final int qos;
            private final List<Integer> atLeastOnce = new ArrayList<>();
            private final List<Integer> exactlyOnce = new ArrayList<>();
            final Set<Integer> unreleased = new HashSet<>();

            Subscriber(String id, int qos) {
                super(id);
                this.qos = qos;
            }

            @Override
            void handle(Peer connected, String packet) {
                if (packet.startsWith("PUBREL")) {
                    int packetId = Integer.parseInt(packet.substring(7));
                    unreleased.remove(packetId);
                    connected.pubcomp(packetId);
                } else if (packet.contains("/")) {
                    String[] parts = packet.replace("!", "").split("/", 3);
                    receive(connected, Integer.parseInt(parts[0]), parts[1], parts[2]);
                }
            }

            private void receive(Peer connected, int number, String qos, String id) {
                int packetId = Integer.parseInt(id);
                if (qos.equals("2")) {
                    if (unreleased.add(packetId)) {
                        exactlyOnce.add(number);
                    }
                    connected.pubrec(packetId);
                } else {
                    if (!atLeastOnce.contains(number)) {
                        atLeastOnce.add(number);
                    }
                    connected.puback(packetId);
                }
            }

            void check() {
                List<Integer> once = new ArrayList<>();
                List<Integer> rest = new ArrayList<>();
                for (int number = 1; number <= MESSAGES; number++) {
                    boolean exactly = qos == 2 && publisher.qos(number) == 2;
                    (exactly ? once : rest).add(number);
                }
                assertThat(exactlyOnce).as("%s: exactly once", id).isEqualTo(once);
                assertThat(atLeastOnce).as("%s: at least once", id).isEqualTo(rest);
            }
        }
    }
}
