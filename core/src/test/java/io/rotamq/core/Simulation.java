package io.rotamq.core;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Identity;
import io.rotamq.core.port.Ports;
import io.rotamq.core.session.Session;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A node with several shards, its clients and the network between them, on one thread, all decided
 * by a seed. A step is one thing that happens somewhere; while the core works for one shard and
 * calls out, the others may work too, as they would on threads of their own.
 */
final class Simulation {
    private static final int DEPTH = 3;

    final long seed;
    final Scenario scenario;
    final SplittableRandom random;
    final Node node;
    final Regimes regimes;
    final Ledger ledger;
    final Orders orders;
    final Affinity affinity;
    final KeyOrder keys;
    final Wills wills;
    private final Network network = new Network(this);
    final List<ModelClient> clients = new ArrayList<>();
    final List<Link> links = new ArrayList<>();

    /** Sessions that have not ended, as far as was noticed. */
    final List<ModelSession> sessions = new ArrayList<>();

    /** What happened; null: not wanted. */
    final @Nullable List<String> log;

    final ModelClient observer;
    long now = 1;
    int step;
    boolean settling;

    /** A client that does nothing for the time being. */
    @Nullable ModelClient idle;

    /** How often a shard was at work, or the operator. */
    int turns;

    private boolean wantsChange;
    private final IdentityHashMap<Session, ModelSession> byCore = new IdentityHashMap<>();
    private final BitSet runnable = new BitSet();
    private final BitSet ticking = new BitSet();
    private final List<Frame> frames = new ArrayList<>();
    private final List<String> topics = List.of("t/0", "t/1", "t/1/x");
    private final List<String> filters = new ArrayList<>();
    private int numbers;
    private int linkNumbers;

    /** What a shard is doing. */
    record Frame(int shard, @Nullable Link link, @Nullable Packet packet) {
        boolean isQuiet() {
            return packet instanceof Publish
                    || packet instanceof Subscribe
                    || packet instanceof Unsubscribe;
        }
    }

    Simulation(long seed, @Nullable List<String> log) {
        this.seed = seed;
        this.log = log;
        this.random = new SplittableRandom(seed);
        this.scenario = Scenario.of(random);
        this.regimes = new Regimes(this);
        this.ledger = new Ledger(this);
        this.orders = new Orders(this);
        this.affinity = new Affinity(this);
        this.keys = new KeyOrder(this);
        this.wills = new Wills(this);
        Ports ports = new Ports(this::millis, this::wake, Authenticator.ACCEPT_ALL, new Watcher());
        this.node = new Node(scenario.core(), ports, seed);
        for (String name : List.of("$share/a/", "$share/b/", "$queue/", "$share/d/")) {
            for (String filter : List.of("t/0", "t/#", "t/+")) {
                if (random.nextInt(3) > 0) {
                    filters.add(name + filter);
                }
            }
        }
        filters.add("$share/a/t/1");
        if (scenario.plain()) {
            filters.addAll(List.of("t/0", "t/#", "t/+", "t/1/x"));
        }
        observer = new ModelClient(this, "observer", random, true);
        for (int i = 0; i < scenario.clients(); i++) {
            clients.add(new ModelClient(this, "c" + i, random, false));
        }
    }

    /** Takes note of publishes at the very moment at which they are routed. */
    private final class Watcher implements Authorizer {
        @Override
        public Decision publish(Identity client, TopicName topic) {
            Frame frame = frames.getLast();
            if (frame.packet() instanceof Publish publish) {
                Link link = Objects.requireNonNull(frame.link());
                Publishing publishing = node.shard(frame.shard()).publishing();
                link.exhausted = publish.qos() > 0 && publishing.isExhausted(topic, publish.qos());
                Published message = ledger.message(publish);
                ledger.accepted(message, link);
            }
            return Decision.ALLOWED;
        }

        @Override
        public Decision subscribe(Identity client, TopicFilter filter) {
            return Decision.ALLOWED;
        }
    }

    private long millis() {
        if (!frames.isEmpty() && !frames.getLast().isQuiet()) {
            interleave();
        }
        return now;
    }

    private void wake(int shard) {
        runnable.set(shard);
        interleave();
    }

    boolean isRunning(int shard) {
        return frames.stream().anyMatch(frame -> frame.shard() == shard);
    }

    boolean isIdle(int shard) {
        return !isRunning(shard);
    }

    int nextNumber() {
        return ++numbers;
    }

    String someFilter() {
        return filters.get(random.nextInt(filters.size()));
    }

    TopicName someTopic() {
        return TopicName.of(topics.get(random.nextInt(topics.size())));
    }

    Link link(ModelClient owner) {
        int shard = random.nextInt(node.shards());
        Link link = new Link(this, ++linkNumbers, owner, shard);
        links.add(link);
        on(new Frame(shard, null, null), () -> accept(link));
        return link;
    }

    private void accept(Link link) {
        link.server = node.shard(link.shard).accept(link.connection());
    }

    /** Something that is done on each shard. */
    void onEach(Consumer<Shard> action) {
        for (int i = 0; i < node.shards(); i++) {
            Shard shard = node.shard(i);
            on(new Frame(i, null, null), () -> action.accept(shard));
        }
    }

    void kick(String clientId) {
        trace("kick %s", clientId);
        node.kick(clientId);
    }

    /** A CONNACK is sent: the client has its session. */
    void entered(Link link, Connack connack) {
        Residence residence =
                Objects.requireNonNull(node.shard(link.shard).residences().find(link.owner.id));
        ModelSession known = byCore.get(residence.session);
        check(connack.sessionPresent() == (known != null), "session present: %s", connack);
        check(!residence.session.hasEnded(), "resumed after its end: %s", known);
        link.session = known != null ? known : create(link, residence.session);
        wills.connected(link);
        if (known != null) {
            wills.resumed(link);
            affinity.changes(known);
        }
    }

    private ModelSession create(Link link, Session core) {
        ModelSession session = new ModelSession(byCore.size() + 1, link.owner.id, core);
        byCore.put(core, session);
        sessions.add(session);
        return session;
    }

    /** The core's part of a connection ends, by its own decision or by {@code closed()}. */
    void lost(Link link) {
        Frame frame = frames.getLast();
        boolean takenOver =
                frame.link() != link
                        && frame.packet() instanceof Connect connect
                        && connect.clientId().equals(link.owner.id);
        wills.lost(link);
        ModelSession session = link.session;
        orders.disturbed(session);
        if (session != null && !takenOver) {
            session.losses++;
        }
    }

    /** Notices which sessions have ended. */
    void endSessions() {
        sessions.removeIf(
                session -> {
                    boolean ended = session.hasEnded();
                    if (ended) {
                        orders.disturbed(session);
                        ledger.waive(session);
                    }
                    return ended;
                });
    }

    void step() {
        step++;
        endSessions();
        wantsChange |= random.nextInt(1_000) < scenario.changes();
        int roll = random.nextInt(100);
        if (roll < 50) {
            serverWork();
        } else if (roll < 75) {
            clientWork();
        } else if (roll < (scenario.expiring() > 0 ? 95 : 98)) {
            clients.get(random.nextInt(clients.size())).act();
        } else {
            pass(random.nextInt(8) == 0 ? random.nextInt(40_000) : random.nextInt(1_500));
        }
        links.removeIf(link -> link.over && (link.cut || link.toClient.isEmpty()));
    }

    /** Lets time pass. */
    void pass(long millis) {
        now += millis;
        trace("time passes: %s ms", millis);
        ticking.set(0, node.shards());
    }

    /** Other shards work while one of them is in a call to its surroundings. */
    void interleave() {
        if (!frames.isEmpty()
                && frames.size() < DEPTH
                && random.nextInt(100) < scenario.interleave()) {
            serverWork();
        }
    }

    /** Something that happens on an idle shard; false if there was nothing of the kind. */
    boolean serverWork() {
        if (wantsChange && random.nextInt(4) == 0) {
            wantsChange = false;
            turns++;
            regimes.change();
            return true;
        }
        int roll = random.nextInt(8);
        for (int i = 0; i < 4; i++) {
            boolean done =
                    switch ((roll + i) & 3) {
                        case 0 -> runShard();
                        case 1 -> network.deliver();
                        case 2 -> network.notice();
                        default -> tick();
                    };
            if (done) {
                return true;
            }
        }
        return false;
    }

    private boolean runShard() {
        int shard = pick(runnable);
        if (shard < 0 || (!settling && random.nextInt(100) < scenario.lag())) {
            return false;
        }
        runnable.clear(shard);
        on(new Frame(shard, null, null), node.shard(shard)::run);
        return true;
    }

    private boolean tick() {
        int shard = pick(ticking);
        if (shard < 0) {
            return false;
        }
        ticking.clear(shard);
        on(new Frame(shard, null, null), node.shard(shard)::tick);
        return true;
    }

    private int pick(BitSet from) {
        int[] idle = from.stream().filter(this::isIdle).toArray();
        return idle.length == 0 ? -1 : idle[random.nextInt(idle.length)];
    }

    @Nullable Link pick(Predicate<Link> which) {
        List<Link> found = links.stream().filter(which).toList();
        return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
    }

    /** A packet arrives at a client, or the client sends an acknowledgement that it put off. */
    boolean clientWork() {
        boolean defers = settling || random.nextInt(scenario.patience()) == 0;
        Link lazy =
                defers
                        ? pick(l -> isActive(l) && !l.cut && !l.closed && !l.deferred.isEmpty())
                        : null;
        if (lazy != null) {
            Packet late = lazy.deferred.remove(random.nextInt(lazy.deferred.size()));
            lazy.toServer.add(late);
            return true;
        }
        Link link = pick(l -> isActive(l) && !l.cut && (!l.toClient.isEmpty() || l.closed));
        if (link == null) {
            return false;
        }
        if (link.toClient.isEmpty()) {
            link.cut = true;
            link.owner.lost(link);
        } else {
            link.owner.handle(link, link.toClient.remove());
        }
        return true;
    }

    private boolean isActive(Link link) {
        return link.owner != idle;
    }

    /** Whether the session's client takes packets as large as the message. */
    boolean fits(Published message, ModelSession session) {
        return clients.stream()
                .filter(client -> client.id.equals(session.clientId))
                .allMatch(client -> fits(message, client));
    }

    /** Whether every client does. */
    boolean fitsAll(Published message) {
        for (ModelClient client : clients) {
            if (!fits(message, client)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(Published message, ModelClient client) {
        return Link.size(message.payload, message.topic, 1) <= client.maximumPacket;
    }

    void on(Frame frame, Runnable action) {
        check(isIdle(frame.shard()), "shard %s is at work", frame.shard());
        frames.add(frame);
        turns++;
        action.run();
        frames.removeLast();
    }

    boolean hasMail() {
        return !runnable.isEmpty() || !ticking.isEmpty();
    }

    @SuppressWarnings("AnnotateFormatMethod")
    void check(boolean holds, String format, @Nullable Object... arguments) {
        if (!holds) {
            throw new AssertionError(
                    "seed " + seed + ", step " + step + ": " + format.formatted(arguments));
        }
    }

    @SuppressWarnings("AnnotateFormatMethod")
    void trace(String format, @Nullable Object... arguments) {
        if (log != null) {
            log.add(step + " @" + now + " " + format.formatted(arguments));
        }
    }
}
