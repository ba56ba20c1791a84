package io.rotamq.core.share;

import io.rotamq.core.durable.BacklogRecord;
import io.rotamq.core.durable.Content;
import io.rotamq.core.durable.DeliveryRecord;
import io.rotamq.core.durable.Journal;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.MessageRecord;
import io.rotamq.core.durable.Numbers;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.port.Clock;
import io.rotamq.core.strategy.Message;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one shard on their way into the store and out of it: each is there once, however
 * many refer to it. Owned by the shard.
 */
public final class Archive {
    private final Journal journal;
    private final Numbers numbers;
    private final Clock clock;
    private final Consumer<Stored> confirmed;

    /**
     * @param confirmed told of each message of this shard that has become safe
     */
    public Archive(Journal journal, Numbers numbers, Clock clock, Consumer<Stored> confirmed) {
        this.journal = journal;
        this.numbers = numbers;
        this.clock = clock;
        this.confirmed = confirmed;
    }

    public Journal journal() {
        return journal;
    }

    public Numbers numbers() {
        return numbers;
    }

    /** Refers to the message, and stores it if nobody does that. */
    public Stored hold(Message message) {
        while (true) {
            Stored known = message.stored();
            if (known != null && known.retain()) {
                return known;
            }
            Stored fresh = Stored.alone(numbers.next());
            if (message.store(known, fresh)) {
                put(message, fresh);
                journal.afterCommit(() -> confirmed.accept(fresh));
                return fresh;
            }
        }
    }

    /** The message as it is to be stored. */
    public Content content(Message message) {
        return message.content(clock);
    }

    /** Writes the message down. */
    public void put(Message message, Stored stored) {
        stored.written();
        new MessageRecord(stored.id(), message.content(clock)).put(journal.record());
    }

    /** A group is owed the message, and no durable session has it. */
    public Keep backlog(Message message, Group group) {
        Keep keep = Keep.backlog(hold(message), group.toString());
        put(keep, false);
        return keep;
    }

    /** What a durable session had goes back to its group. */
    public @Nullable Keep toBacklog(@Nullable Keep keep) {
        if (keep == null || keep.isBacklog()) {
            return keep;
        }
        Keep back = Keep.backlog(keep.stored(), keep.group());
        put(back, false);
        erase(keep);
        return back;
    }

    /** A QoS 2 PUBLISH may be sent to a member whose session ends with the process. */
    public void begun(Keep backlog) {
        put(backlog, true);
    }

    private void put(Keep backlog, boolean begun) {
        new BacklogRecord(backlog.group(), backlog.stored().id(), begun).put(journal.record());
    }

    /** One reference less. */
    public void release(Stored stored) {
        if (stored.release()) {
            MessageRecord.delete(journal.record(), stored.id());
        }
    }

    /** Ends what keeps a message, and the message if nothing else does. */
    public void drop(Keep keep) {
        erase(keep);
        release(keep.stored());
    }

    /** Removes the record of what keeps a message, which something else keeps now. */
    public void erase(Keep keep) {
        if (keep.isBacklog()) {
            BacklogRecord.delete(journal.record(), keep.group(), keep.stored().id());
        } else {
            DeliveryRecord.delete(journal.record(), keep.session(), keep.sequence());
        }
    }
}
