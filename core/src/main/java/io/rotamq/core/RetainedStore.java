package io.rotamq.core;

import io.rotamq.core.durable.Journal;
import io.rotamq.core.durable.RetainedRecord;
import io.rotamq.core.index.Replay;
import io.rotamq.core.index.RetainedMessages;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.share.Archive;
import io.rotamq.core.strategy.Message;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The node's retained messages within their bounds; shared by all shards. */
final class RetainedStore {
    private final RetainedMessages<Message> messages;
    private final CoreSettings.Limits limits;
    private final AtomicLong bytes = new AtomicLong();

    RetainedStore(CoreSettings.Limits limits, long seed) {
        this.limits = limits;
        this.messages = new RetainedMessages<>(seed);
    }

    /**
     * Keeps the message as the last one of its topic; with an empty payload only forgets that
     * [MQTT-3.3.1-6] [MQTT-3.3.1-7].
     *
     * @return false if there is no room for it: then the topic has none, rather than an old one
     */
    boolean put(Message message) {
        boolean kept = message.publish().payload().length > 0 && hasRoomFor(message);
        Message before =
                kept ? messages.put(message.topic(), message) : messages.remove(message.topic());
        bytes.addAndGet((kept ? message.size() : 0) - (before == null ? 0 : before.size()));
        return kept || message.publish().payload().length == 0;
    }

    /**
     * The same, and writes it down. One shard at a time, and up to the store's hands: whose message
     * is the last in memory has to be the last in the store.
     */
    synchronized boolean put(Message message, @Nullable Archive archive) {
        if (archive == null) {
            return put(message);
        }
        Journal journal = archive.journal();
        boolean removes = message.publish().payload().length == 0;
        boolean kept = !removes && journal.accepts() && put(message);
        if (kept) {
            new RetainedRecord(archive.content(message)).put(journal.record());
        } else {
            forget(message.topic());
            RetainedRecord.delete(journal.record(), message.topic());
        }
        journal.flush();
        return kept || removes;
    }

    private void forget(TopicName topic) {
        Message before = messages.remove(topic);
        bytes.addAndGet(before == null ? 0 : -before.size());
    }

    /** A message that was stored. */
    void restore(Message message) {
        messages.put(message.topic(), message);
        bytes.addAndGet(message.size());
    }

    private boolean hasRoomFor(Message message) {
        Message before = messages.get(message.topic());
        long freed = before == null ? 0 : before.size();
        return (before != null || messages.size() < limits.retainedMessages())
                && bytes.get() - freed + message.size() <= limits.retainedBytes();
    }

    Replay<Message> replay(TopicFilter filter) {
        return messages.replay(filter);
    }

    /** Forgets some of those that expired. */
    synchronized void purge(int maxSteps, long now, @Nullable Archive archive) {
        messages.purge(
                maxSteps,
                message -> {
                    if (!message.isExpired(now)) {
                        return false;
                    }
                    if (messages.remove(message.topic(), message)) {
                        bytes.addAndGet(-message.size());
                        if (archive != null) {
                            RetainedRecord.delete(archive.journal().record(), message.topic());
                        }
                    }
                    return false;
                });
        if (archive != null) {
            archive.journal().flush();
        }
    }

    int size() {
        return messages.size();
    }

    long bytes() {
        return bytes.get();
    }
}
