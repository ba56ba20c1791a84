package io.rotamq.core;

import io.rotamq.core.durable.Journal;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.Meter;
import io.rotamq.core.port.Ports;
import io.rotamq.core.port.Store;
import io.rotamq.core.session.PlainRoutes;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.Timers;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Dispatcher;
import io.rotamq.core.share.GroupOwner;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Will;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's slice of the broker: its connections, its sessions, the backlogs of the groups
 * it owns. Everything but {@link #post} and the reading of counters happens on that loop; with
 * other shards it talks through mailboxes.
 */
public final class Shard {
    private static final long OWNER_TICK = 1_000;
    private static final int PURGE_STEPS = 20_000;

    /** How long a pass over very many retained messages takes. */
    private static final int PURGE_SECONDS = 8;

    private final Node node;
    private final int index;
    private final Meter meter = new Meter();
    private final Timers timers = new Timers();
    private final Mailbox mailbox;
    private final ShardPort port;
    private final PlainRoutes plain;
    private final Publishing publishing;
    private final GroupOwner groups;
    private final Residences residences;
    private final Set<Client> clients = new LinkedHashSet<>();
    private final Set<Client> slowed = new LinkedHashSet<>();
    private final SysTopics sys;
    private final @Nullable Journal journal;
    private final @Nullable Archive archive;
    private long nextOwnerTick;

    Shard(Node node, int index, long seed) {
        this.node = node;
        this.index = index;
        this.mailbox = new Mailbox(node.ports().waker(), index);
        Store store = node.ports().store();
        this.journal = store == null ? null : new Journal(store, new Home());
        this.archive =
                journal == null
                        ? null
                        : new Archive(
                                journal, node.numbers(), node.ports().clock(), this::confirmed);
        this.port = new ShardPort(this, node);
        this.plain =
                new PlainRoutes(
                        node.routes(), index, node.settings().protocol().mergeOverlaps(), seed);
        Dispatcher dispatcher = new Dispatcher(port, meter, node.memory(), seed + index);
        this.groups = new GroupOwner(port, dispatcher, meter, node.memory());
        this.publishing = new Publishing(this, node, plain, dispatcher);
        this.residences = new Residences(this, node, plain, timers);
        this.sys = new SysTopics(node, publishing);
    }

    public int index() {
        return index;
    }

    /** Counters of this shard; may be read by anybody. */
    public Meter meter() {
        return meter;
    }

    /** Takes a new connection; its client has a limited time for its CONNECT. */
    public Client accept(Connection connection) {
        Client client = new Client(this, node, connection);
        clients.add(client);
        meter.count(Counter.CONNECTIONS_OPENED);
        client.awaitConnect();
        return client;
    }

    /** The shard as its journal sees it. */
    private final class Home implements Journal.Home {
        @Override
        public void wake() {
            mailbox.wake();
        }

        @Override
        public void landed(Journal.Flight flight) {
            mailbox.post(new Task.Landed(flight));
        }
    }

    /**
     * Does what other shards posted, a bounded batch of it, and hands to the store what was written
     * since the last time.
     */
    public void run() {
        mailbox.run(this::read);
        if (journal != null) {
            journal.endTurn();
        }
    }

    /** At the end of an orderly stop: hands all that was written to the store. */
    public void flush() {
        if (journal != null) {
            journal.flush();
        }
    }

    /**
     * Does first what was posted before: a message that was acknowledged to its publisher before a
     * SUBSCRIBE was sent must not meet the new subscription, which gets it as a retained one.
     */
    void catchUp() {
        mailbox.catchUp(this::read);
    }

    /** Runs what is due by now. */
    public void tick() {
        long now = now();
        timers.run(now);
        if (now >= nextOwnerTick) {
            nextOwnerTick = now + OWNER_TICK;
            groups.tick();
            if (index == 0) {
                RetainedStore retained = node.retainedStore();
                retained.purge(
                        Math.max(PURGE_STEPS, retained.size() / PURGE_SECONDS), now, archive);
            }
        }
        if (index == 0) {
            sys.tick(now);
        }
    }

    /** Whether so much waits here that others should not read more from their connections. */
    public boolean isCongested() {
        return mailbox.size() > settings().limits().mailbox();
    }

    /** Runs an action on this shard's loop; any thread. */
    public void execute(Runnable action) {
        post(new Task.Run(action));
    }

    /**
     * First step of an orderly stop, on all shards before the second: publishes the wills of
     * connections that end with it.
     */
    public void publishWills() {
        for (Client client : new ArrayList<>(clients)) {
            client.publishWillAtShutdown();
        }
    }

    /** Second step: tells every client and closes its connection. */
    public void disconnectAll() {
        for (Client client : new ArrayList<>(clients)) {
            client.shut(ReasonCode.SERVER_SHUTTING_DOWN, "the broker is shutting down");
        }
    }

    /** Connections of this shard, those without CONNECT included. */
    public int connections() {
        return clients.size();
    }

    /** Sessions of this shard. */
    public int sessions() {
        return residences.size();
    }

    /** Deadlines that are still to come; for tests. */
    public int timers() {
        return timers.size();
    }

    /** Clients whose acknowledgements are withheld or which are not read. */
    public int slowedClients() {
        return slowed.size();
    }

    void post(Object entry) {
        mailbox.post(entry);
    }

    /** Posts to another shard, which must not act on what could be lost without it. */
    void send(int target, Object entry) {
        flush();
        node.shard(target).post(entry);
    }

    @Nullable Archive archive() {
        return archive;
    }

    /** A message of this shard's publishers has become safe: whoever waits for that hears of it. */
    void confirmed(Stored stored) {
        for (long rest = stored.confirm(); rest != 0; rest &= rest - 1) {
            send(Long.numberOfTrailingZeros(rest), new Task.Confirmed(stored));
        }
    }

    /** How far the journal is written; to be asked before something is done that may write. */
    long written() {
        return journal == null ? 0 : journal.written();
    }

    /** Does something at once, or after the commit if anything was written since. */
    void afterCommit(long since, Journal.Action action) {
        if (journal == null || journal.written() == since) {
            action.committed();
        } else {
            journal.afterCommit(action);
        }
    }

    /** Whether something new may be accepted that has to be stored. */
    boolean canStore() {
        return journal == null || journal.accepts();
    }

    long wallMillis() {
        return node.ports().clock().wallMillis();
    }

    boolean hasMail() {
        return !mailbox.isEmpty();
    }

    long now() {
        return node.ports().clock().millis();
    }

    CoreSettings settings() {
        return node.settings();
    }

    Ports ports() {
        return node.ports();
    }

    ShardPort port() {
        return port;
    }

    Timers timerQueue() {
        return timers;
    }

    Publishing publishing() {
        return publishing;
    }

    GroupOwner groupOwner() {
        return groups;
    }

    Residences residences() {
        return residences;
    }

    /** A client waits for groups that are behind. */
    void slow(Client client) {
        slowed.add(client);
    }

    void forget(Client client) {
        clients.remove(client);
        slowed.remove(client);
        meter.count(Counter.CONNECTIONS_CLOSED);
    }

    void publishWill(Will will, Publisher publisher) {
        boolean retain = will.retain() && settings().protocol().retainAvailable();
        Publish publish =
                new Publish(
                        will.topic(),
                        will.payload(),
                        Math.min(will.qos(), settings().protocol().maximumQos()),
                        retain,
                        false,
                        0,
                        will.messageExpiry(),
                        will.properties());
        meter.count(Counter.WILLS_PUBLISHED);
        switch (publishing.publish(publish, publisher)) {
            case REFUSED -> meter.drop(DropReason.BACKLOG_REJECTED);
            case UNSTORABLE -> meter.drop(DropReason.STORAGE);
            case EXHAUSTED -> meter.drop(DropReason.MEMORY);
            case MATCHED, UNMATCHED -> {}
        }
    }

    private void read(Object entry) {
        if (entry instanceof Message message) {
            plain.deliver(message);
            handOver(message);
            return;
        }
        switch ((Task) entry) {
            case Task.Deliver deliver -> deliver(deliver);
            case Task.Unclaim(var member, var epoch) -> session(member.recipient()).unclaim(epoch);
            case Task.Enqueue(var group, var message, var keep) ->
                    groups.enqueue(group, message, keep);
            case Task.TakeBack(var group, var messages) -> groups.takeBack(group, messages);
            case Task.Drain(var group) -> {
                group.drainBegins();
                groups.drain(group);
            }
            case Task.Returned(var group) -> groups.returned(group);
            case Task.Serve(var member) -> {
                member.drainBegins();
                groups.serve(member);
            }
            case Task.Release(var hold) -> groups.release(hold);
            case Task.Reconsider(var member) -> session(member.recipient()).reconsider(member);
            case Task.Taken(var holder, var offer) -> holder.taken(offer);
            case Task.Relieved(var brake) -> relieved(brake);
            case Task.Kick(var clientId) -> residences.kick(clientId);
            case Task.Run(var action) -> action.run();
            case Task.Landed(var flight) -> flight.settle();
            case Task.Handed(var receipt) -> receipt.complete();
            case Task.Confirmed(var _) -> port.confirmed();
        }
    }

    private static void deliver(Task.Deliver task) {
        session(task.member().recipient())
                .deliver(
                        task.member(),
                        task.grant(),
                        task.message(),
                        task.epoch(),
                        task.hold(),
                        task.keep());
    }

    /** The publisher's acknowledgement may wait for what is owed durably on this shard. */
    private void handOver(Message message) {
        Stored stored = message.stored();
        if (stored != null && journal != null && stored.expects(index)) {
            journal.afterHanding(stored::handOver);
        }
    }

    private static Session session(Object recipient) {
        return (Session) recipient;
    }

    private void relieved(Brake brake) {
        List<Client> waiting = new ArrayList<>(slowed);
        for (Client client : waiting) {
            if (client.relieved(brake)) {
                slowed.remove(client);
            }
        }
    }
}
