package io.rotamq.core.session;

import io.rotamq.core.durable.DeliveryRecord;
import io.rotamq.core.durable.DeliveryRecord.Stage;
import io.rotamq.core.durable.InboundRecord;
import io.rotamq.core.durable.Journal;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.SessionRecord;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.durable.SubscriptionRecord;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a durable session writes down of itself: a session that was given an expiry, on a node with
 * a store. Owned by the session's shard.
 */
final class Diary {
    private final long id;
    private final String clientId;
    private final Archive archive;
    private final Journal journal;
    private long lastSequence;
    private boolean sparing;

    /**
     * @param id of the session, which no other on this store has or had
     */
    Diary(long id, String clientId, Archive archive) {
        this.id = id;
        this.clientId = clientId;
        this.archive = archive;
        this.journal = archive.journal();
    }

    Journal journal() {
        return journal;
    }

    /** How the session is now, its will included. */
    void session(long expiry, long away, @Nullable Will will) {
        new SessionRecord(id, clientId, expiry, away, will).put(journal.record());
    }

    void subscribed(Subscription subscription) {
        Grant grant = subscription.grant();
        Member member = subscription.member();
        SubscriptionRecord.Options options =
                new SubscriptionRecord.Options(
                        grant.qos(), grant.noLocal(), grant.retainAsPublished());
        int identifier = grant.identifiers().length == 0 ? 0 : grant.identifiers()[0];
        List<String> keys = member == null ? List.of() : member.keys().globs();
        new SubscriptionRecord(
                        id,
                        subscription.filter(),
                        options,
                        identifier,
                        subscription.generation(),
                        subscription.since(),
                        keys)
                .put(journal.record());
    }

    void unsubscribed(SubscriptionFilter filter) {
        SubscriptionRecord.delete(journal.record(), id, filter);
    }

    /** A QoS 2 publish of the client is the broker's. */
    void owns(int packetId) {
        new InboundRecord(id, packetId).put(journal.record());
    }

    void released(int packetId) {
        new InboundRecord(id, packetId).delete(journal.record());
    }

    /**
     * The session is owed a message from now on.
     *
     * @param replayed whether it is a retained message for a new subscription
     */
    Keep keep(Message message, Grant grant, boolean replayed) {
        Stored stored = archive.hold(message);
        Keep keep = new Keep(stored, id, ++lastSequence, "");
        delivery(keep, grant, replayed, Stage.WAITING, 0);
        return keep;
    }

    /** A group gave the session a message: it is kept here, and nowhere else, from now on. */
    Keep adopt(Waiting next, String group) {
        Keep before = next.keep();
        Stored stored = before == null ? archive.hold(next.message()) : before.stored();
        Keep keep = new Keep(stored, id, ++lastSequence, group);
        delivery(keep, next.grant(), false, Stage.WAITING, 0);
        if (before != null) {
            archive.erase(before);
        }
        return keep;
    }

    /** A QoS 2 exchange has begun, or the client has the message. */
    void exchange(Outbound outbound, Stage stage) {
        Keep keep = outbound.keep;
        if (keep != null) {
            delivery(keep, outbound.grant, outbound.replayed, stage, outbound.packetId);
        }
    }

    private void delivery(Keep keep, Grant grant, boolean replayed, Stage stage, int packetId) {
        DeliveryRecord.Terms terms =
                new DeliveryRecord.Terms(
                        grant.qos(),
                        grant.noLocal(),
                        grant.retainAsPublished(),
                        replayed,
                        grant.identifiers(),
                        grant.generations());
        new DeliveryRecord(
                        id,
                        keep.sequence(),
                        keep.stored().id(),
                        terms,
                        keep.group(),
                        stage,
                        packetId)
                .put(journal.record());
    }

    /** What was found in the store: goes on from there. */
    Keep found(DeliveryRecord record, Stored stored) {
        lastSequence = Math.max(lastSequence, record.sequence());
        stored.restored();
        return new Keep(stored, id, record.sequence(), record.group());
    }

    /** The session is over, and others rest on records of its deliveries for a while. */
    void sparesDeliveries() {
        sparing = true;
    }

    /** The session is over: what it was owed goes with {@link #erase}. */
    void letGo(Keep keep) {
        if (sparing) {
            archive.drop(keep);
        } else {
            archive.release(keep.stored());
        }
    }

    /** The session is over: nothing of it stays. */
    void erase() {
        SessionRecord.deleteAll(journal.record(), id, !sparing);
    }
}
