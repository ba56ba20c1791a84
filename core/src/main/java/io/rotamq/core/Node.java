package io.rotamq.core;

import io.rotamq.core.durable.Numbers;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.port.Ports;
import io.rotamq.core.port.SharingSettings.GroupRules;
import io.rotamq.core.port.Store;
import io.rotamq.core.session.Routes;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Roster;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One broker: its shards and what they share – the routes, the retained messages, the directory
 * that says which shard owns which session, the memory budget. Built once; everything but the
 * shared structures happens on the shards.
 */
public final class Node {
    /** The shards of a route are the bits of a word. */
    public static final int MAXIMUM_SHARDS = 64;

    private final CoreSettings settings;
    private final Ports ports;
    private final Routes routes;
    private final RetainedStore retained;
    private final MemoryBudget memory;
    private final MemoryBudget sessionMemory;
    private final ConcurrentMap<String, Integer> directory = new ConcurrentHashMap<>();
    private final ClientIds clientIds;
    private final Numbers numbers = new Numbers();
    private final AtomicLong durableShards = new AtomicLong();
    private long arrivalOffset;
    private final Shard[] shards;

    /**
     * @param seed of the indexes; kept from clients, so that none can choose topics that collide
     */
    public Node(CoreSettings settings, Ports ports, long seed) {
        this.settings = settings;
        this.ports = ports;
        this.routes = new Routes(settings.sharing(), settings.shards(), seed);
        this.retained = new RetainedStore(settings.limits(), seed);
        this.memory = new MemoryBudget(settings.limits().memory());
        this.sessionMemory = new MemoryBudget(settings.sessions().memory());
        this.clientIds = new ClientIds(seed);
        this.shards = new Shard[settings.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard(this, i, seed);
        }
    }

    /**
     * Makes the node what its store says; before the shards work, and at once without a store. Time
     * that passed counts: what is due happens on the first turn of each shard, which comes before
     * any connection that is accepted afterwards.
     *
     * @throws io.rotamq.core.port.StoreException when the store cannot be used
     */
    public void recover(Store.Progress progress) {
        Store store = ports.store();
        if (store == null) {
            return;
        }
        Recovery recovery = new Recovery(this, store, ports.clock(), progress);
        List<Residence> restored = recovery.run();
        store.write(recovery.mended().essential(), Mended.INSTANCE);
        for (Residence residence : restored) {
            Shard home = shards[residence.session.shard()];
            home.execute(() -> home.residences().resume(residence));
        }
        recovery.fillBacklogs();
    }

    /** Nobody waits for it: what fails shows with the next commit. */
    private enum Mended implements Store.Commit {
        INSTANCE;

        @Override
        public void committed() {}

        @Override
        public void failed(Store.Failure failure) {}
    }

    public int shards() {
        return shards.length;
    }

    public Shard shard(int index) {
        return shards[index];
    }

    /** Ends the session of a client and closes its connection; false if there is none. */
    public boolean kick(String clientId) {
        Integer home = directory.get(clientId);
        if (home == null) {
            return false;
        }
        shards[home].post(new Task.Kick(clientId));
        return true;
    }

    /** Sum over all shards. */
    public long total(Counter counter) {
        return sum(meter -> meter.value(counter));
    }

    /** Messages that this strategy chose a member for, over all shards. */
    public long dispatched(StrategyName strategy) {
        return sum(meter -> meter.value(strategy));
    }

    /** Messages discarded for a reason, over all shards. */
    public long dropped(DropReason reason) {
        return sum(meter -> meter.dropped(reason));
    }

    public int sessions() {
        return directory.size();
    }

    public int groups() {
        return routes.groups();
    }

    public int retained() {
        return retained.size();
    }

    /** Bytes of the retained messages. */
    public long retainedBytes() {
        return retained.bytes();
    }

    /** Bytes of messages that wait in queues and backlogs. */
    public long memoryUsed() {
        return memory.used();
    }

    /** Bytes of all sessions, their messages aside. */
    public long sessionMemoryUsed() {
        return sessionMemory.used();
    }

    /** The group of that identity, if it has a session. */
    public @Nullable Group group(String shareName, TopicFilter filter) {
        return routes.group(shareName, filter);
    }

    public void forEachGroup(Consumer<Group> sink) {
        routes.forEachGroup(sink);
    }

    /**
     * Other rules for all groups, present and future; any thread. When it returns the next publish
     * obeys; what waits is laid anew and what is under way ends as it began, so that nothing is
     * lost or doubled.
     */
    public synchronized void regroup(GroupRules rules) {
        routes.regroup(rules, this::regrouped);
    }

    private void regrouped(Group group, GroupSettings before) {
        if (group.pending() > 0) {
            shards[group.owner()].post(new Task.Drain(group));
        }
        if (before.offlineMembers() == OfflineMembers.KEEP
                && group.settings().offlineMembers() == OfflineMembers.SKIP) {
            Roster roster = group.roster();
            for (int i = 0; i < roster.size(); i++) {
                Member member = Member.of(roster.member(i));
                shards[member.recipient().shard()].post(new Task.Reconsider(member));
            }
        }
    }

    CoreSettings settings() {
        return settings;
    }

    Ports ports() {
        return ports;
    }

    Routes routes() {
        return routes;
    }

    RetainedStore retainedStore() {
        return retained;
    }

    MemoryBudget memory() {
        return memory;
    }

    MemoryBudget sessionMemory() {
        return sessionMemory;
    }

    /** Numbers for what is stored. */
    Numbers numbers() {
        return numbers;
    }

    /** Bit set of the shards that have durable sessions. */
    AtomicLong durableShards() {
        return durableShards;
    }

    /** Milliseconds by which arrivals are put behind those of stored messages. */
    long arrivalOffset() {
        return arrivalOffset;
    }

    /** Before the shards work. */
    void arrivalOffset(long millis) {
        arrivalOffset = millis;
    }

    /** The shard that owns the client's session; {@code shard} from now on if there is none. */
    int claim(String clientId, int shard) {
        Integer home = directory.putIfAbsent(clientId, shard);
        return home == null ? shard : home;
    }

    /** An identifier that no session has. */
    String newClientId() {
        return clientIds.next(directory::containsKey);
    }

    void release(String clientId) {
        directory.remove(clientId);
    }

    private long sum(ToLongFunction<Meter> value) {
        return Arrays.stream(shards).map(Shard::meter).mapToLong(value).sum();
    }
}
