package io.rotamq.core;

import io.rotamq.core.durable.BacklogRecord;
import io.rotamq.core.durable.DeliveryRecord;
import io.rotamq.core.durable.DeliveryRecord.Stage;
import io.rotamq.core.durable.InboundRecord;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.MessageRecord;
import io.rotamq.core.durable.RetainedRecord;
import io.rotamq.core.durable.SessionRecord;
import io.rotamq.core.durable.StartsRecord;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.durable.SubscriptionRecord;
import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Clock;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.Store.Progress;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Pending;
import io.rotamq.core.strategy.Message;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a store the node that it was: before the shards work, on one thread. What depends on the
 * time, and what is to be sent to other shards, is left for the first turn of each shard.
 *
 * <p>A reference to a message that is not there belongs to a publish that was never acknowledged,
 * and is dropped; so is a message that nobody refers to.
 */
final class Recovery {
    private final Node node;
    private final Store store;
    private final Clock clock;
    private final Progress progress;
    private final Batch mended = new Batch();
    private final Map<Long, Residence> residences = new HashMap<>();
    private final Map<Long, Message> messages = new HashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Set<String> clientIds = new HashSet<>();
    private long lastArrival;

    Recovery(Node node, Store store, Clock clock, Progress progress) {
        this.node = node;
        this.store = store;
        this.clock = clock;
        this.progress = progress;
    }

    /** Restores everything; returns what each session's shard has to look after first. */
    List<Residence> run() {
        start();
        store.forEach(Kind.SESSION, this::session, progress);
        subscriptions();
        store.forEach(Kind.INBOUND, this::inbound, progress);
        store.forEach(Kind.RETAINED, this::retained, progress);
        store.forEach(Kind.MESSAGE, this::message, progress);
        store.forEach(Kind.DELIVERY, this::delivery, progress);
        store.forEach(Kind.BACKLOG, this::backlog, progress);
        dropOrphans();
        node.arrivalOffset(Math.max(0, (lastArrival >> 20) + 1 - clock.millis()));
        return new ArrayList<>(residences.values());
    }

    /** What has to be written before anything else is. */
    Batch mended() {
        return mended;
    }

    private void start() {
        long[] starts = new long[1];
        store.forEach(
                Kind.META,
                (key, value) -> {
                    if (StartsRecord.isKey(key)) {
                        starts[0] = StartsRecord.read(value).starts();
                    }
                });
        StartsRecord next = new StartsRecord(starts[0] + 1);
        next.put(mended);
        node.numbers().start(next.starts());
        node.routes().startGenerations(node.numbers().next());
    }

    private void session(byte[] key, byte[] value) {
        SessionRecord record = SessionRecord.read(key, value);
        if (!clientIds.add(record.clientId())) {
            // Cannot be: the old one is erased in the same batch at the latest.
            SessionRecord.deleteAll(mended, record.id(), true);
            return;
        }
        int home = Math.floorMod(record.clientId().hashCode(), node.shards());
        node.claim(record.clientId(), home);
        residences.put(record.id(), node.shard(home).residences().restore(record));
    }

    /** In the order in which they were made, which is that of the members of a group. */
    private void subscriptions() {
        List<SubscriptionRecord> records = new ArrayList<>();
        store.forEach(
                Kind.SUBSCRIPTION,
                (key, value) -> records.add(SubscriptionRecord.read(key, value)),
                progress);
        records.sort(
                Comparator.comparingLong(
                        record ->
                                record.filter().isShared() ? record.since() : record.generation()));
        for (SubscriptionRecord record : records) {
            Residence residence = residences.get(record.session());
            if (residence == null) {
                SubscriptionRecord.delete(mended, record.session(), record.filter());
            } else {
                residence.session.restore(record);
            }
        }
    }

    private void inbound(byte[] key, byte[] value) {
        InboundRecord record = InboundRecord.read(key, value);
        Residence residence = residences.get(record.session());
        if (residence == null) {
            record.delete(mended);
        } else {
            residence.session.restoreInbound(record.packetId());
        }
    }

    private void retained(byte[] key, byte[] value) {
        Message message = Message.restored(RetainedRecord.read(value).content(), clock);
        lastArrival = Math.max(lastArrival, message.arrival());
        node.retainedStore().restore(message);
    }

    private void message(byte[] key, byte[] value) {
        MessageRecord record = MessageRecord.read(key, value);
        Message message = Message.restored(record.content(), clock);
        message.store(null, Stored.found(record.id()));
        lastArrival = Math.max(lastArrival, message.arrival());
        messages.put(record.id(), message);
    }

    private void delivery(byte[] key, byte[] value) {
        DeliveryRecord record = DeliveryRecord.read(key, value);
        Residence residence = residences.get(record.session());
        Message message = messages.get(record.message());
        if (residence != null && message != null) {
            residence.session.restore(record, message);
            return;
        }
        DeliveryRecord.delete(mended, record.session(), record.sequence());
        boolean isOfGroup = !record.group().isEmpty() && record.stage() == Stage.WAITING;
        if (message != null && isOfGroup) {
            // It was given to another member, who had not written that down.
            BacklogRecord back = new BacklogRecord(record.group(), record.message(), false);
            back.put(mended);
            backlog(back, message);
        }
    }

    private void backlog(byte[] key, byte[] value) {
        BacklogRecord record = BacklogRecord.read(key, value);
        Message message = messages.get(record.message());
        if (message == null) {
            BacklogRecord.delete(mended, record.group(), record.message());
        } else {
            backlog(record, message);
        }
    }

    private void backlog(BacklogRecord record, Message message) {
        SubscriptionFilter filter = SubscriptionFilter.parse(record.group());
        Group group =
                filter == null || filter.shareName() == null
                        ? null
                        : node.group(filter.shareName(), filter.filter());
        if (group == null || record.begun()) {
            BacklogRecord.delete(mended, record.group(), record.message());
            DropReason reason =
                    group == null ? DropReason.GROUP_ENDED : DropReason.QOS2_SESSION_ENDED;
            node.shard(0).execute(() -> node.shard(0).meter().drop(reason));
            return;
        }
        Stored stored = Objects.requireNonNull(message.stored());
        stored.restored();
        waiting.add(new Waiting(group, message, Keep.backlog(stored, record.group())));
    }

    private record Waiting(Group group, Message message, Keep keep) {}

    /** Gives the groups what they are owed, in order of arrival. */
    void fillBacklogs() {
        waiting.sort(Comparator.comparingLong(entry -> entry.message().arrival()));
        for (Waiting next : waiting) {
            next.group().rises(next.message());
            node.memory().charge(Pending.cost(next.message()));
            node.shard(next.group().owner())
                    .post(new Task.Enqueue(next.group(), next.message(), next.keep()));
        }
    }

    private void dropOrphans() {
        for (Message message : messages.values()) {
            @Nullable Stored stored = message.stored();
            if (stored != null && stored.isOrphan()) {
                MessageRecord.delete(mended, stored.id());
            }
        }
    }
}
