package io.rotamq.core;

import io.rotamq.core.durable.Journal;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.share.Archive;
import io.rotamq.core.strategy.Message;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a publish and its acknowledgement: all who owe the message durably hand over
 * their records, then the publisher's shard writes the message and, for QoS 2, that it is owned;
 * the commit of that says that everything is safe. Owned by the publisher's shard, but for its end,
 * which the last to hand over brings about.
 */
final class Receipt {
    private final Shard home;
    private final Archive archive;
    private final Message message;
    private final Stored stored;

    /** Whether something was written that has to be safe, whoever refers to the message. */
    private boolean mustCommit;

    /** Of the session whose client published it; null for a will. */
    private @Nullable Residence origin;

    /** Of a QoS 2 publish that a durable session has to remember; else 0. */
    private int packetId;

    private boolean handed;
    private @Nullable Client waiting;
    private boolean settled;
    private boolean failed;

    /**
     * @param shards bit set of those on which the message may be owed durably
     */
    Receipt(Shard home, Archive archive, Message message, long shards) {
        this.home = home;
        this.archive = archive;
        this.message = message;
        this.stored = new Stored(archive.numbers().next(), shards, this::handed);
        message.store(null, stored);
    }

    /** Something of the publish was written to the journal of the publisher's shard. */
    void mustCommit() {
        mustCommit = true;
    }

    /** Its message must not be stored before those that the same client published earlier. */
    void follows(Residence publisher) {
        origin = publisher;
        publisher.receipts.add(this);
    }

    /** The publish is a QoS 2 message of the client's durable session. */
    void owes(int identifier) {
        packetId = identifier;
        if (origin != null) {
            origin.unsettled.put(identifier, this);
        }
    }

    /** The publisher's shard has done its part. */
    void arrive() {
        if (stored.arrive()) {
            complete();
        }
    }

    /** True if nothing is to be waited for. */
    boolean isSettled() {
        return settled;
    }

    /** Whether it is not known that the message is stored. */
    boolean hasFailed() {
        return failed;
    }

    /** The client whose acknowledgements wait for it. */
    void waits(Client client) {
        waiting = client;
    }

    /** On the shard of the last to hand over. */
    private void handed() {
        home.post(new Task.Handed(this));
    }

    /** On the publisher's shard: all references to the message are handed over. */
    void complete() {
        handed = true;
        Residence publisher = origin;
        if (publisher == null) {
            write();
            return;
        }
        Deque<Receipt> inOrder = publisher.receipts;
        for (Receipt first = inOrder.peek();
                first != null && first.handed;
                first = inOrder.peek()) {
            inOrder.remove();
            first.write();
        }
    }

    private void write() {
        boolean wrote = mustCommit;
        if (stored.isReferredTo()) {
            archive.put(message, stored);
            wrote = true;
        }
        Residence publisher = origin;
        if (publisher != null && isOwed(publisher)) {
            publisher.session.recordOwned(packetId);
            wrote = true;
        }
        archive.journal().afterHanding(() -> archive.release(stored));
        if (wrote) {
            archive.journal().afterCommit(new Settling());
        } else {
            settle(false);
        }
    }

    /** Not if the client has released it, or its session is over. */
    @SuppressWarnings("ReferenceEquality") // the identifier may have been used again
    private boolean isOwed(Residence publisher) {
        return publisher.unsettled.get(packetId) == this
                && publisher.session.owns(packetId)
                && !publisher.session.hasEnded();
    }

    private final class Settling implements Journal.Action {
        @Override
        public void committed() {
            settle(false);
        }

        @Override
        public void failed() {
            settle(true);
        }
    }

    private void settle(boolean inVain) {
        settled = true;
        failed = inVain;
        if (origin != null) {
            origin.unsettled.remove(packetId, this);
        }
        if (!inVain) {
            home.confirmed(stored);
        }
        Client client = waiting;
        if (client != null) {
            client.settled();
        }
    }
}
