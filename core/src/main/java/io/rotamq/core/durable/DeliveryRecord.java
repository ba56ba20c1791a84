package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;

/**
 * What a durable session is owed.
 *
 * @param sequence orders the deliveries of a session
 * @param message number of the message
 * @param group the group that it came through, as {@code $share/...}; empty for none
 * @param packetId of a QoS 2 exchange that has begun; else 0
 */
public record DeliveryRecord(
        long session,
        long sequence,
        long message,
        Terms terms,
        String group,
        Stage stage,
        int packetId) {
    private static final int VERSION = 1;

    private static final Stage[] STAGES = Stage.values();

    /** How far it is. The order never changes: the numbers are on disk. */
    public enum Stage {
        /** Waits, or was sent at QoS 1. */
        WAITING,
        /** A QoS 2 PUBLISH may have been sent. */
        PUBLISHED,
        /** PUBREC was received. */
        RELEASED
    }

    /**
     * Under which it is delivered.
     *
     * @param qos granted, whatever that of the message
     * @param replayed whether it is a retained message for a new subscription
     */
    public record Terms(
            int qos,
            boolean noLocal,
            boolean retainAsPublished,
            boolean replayed,
            int[] identifiers,
            long[] generations) {}

    @SuppressWarnings("EnumOrdinal") // its order is part of the format
    public void put(Batch batch) {
        batch.put(Kind.DELIVERY).u64(session).u64(sequence).value().u8(VERSION);
        batch.varint(message);
        batch.u8(
                terms.qos()
                        | (terms.noLocal() ? 4 : 0)
                        | (terms.retainAsPublished() ? 8 : 0)
                        | (terms.replayed() ? 16 : 0));
        batch.varint(terms.identifiers().length);
        for (int identifier : terms.identifiers()) {
            batch.varint(identifier);
        }
        batch.varint(terms.generations().length);
        for (long generation : terms.generations()) {
            batch.varint(generation);
        }
        Fields.text(batch, group);
        batch.u8(stage.ordinal()).u16(packetId).end();
    }

    public static void delete(Batch batch, long session, long sequence) {
        batch.delete(Kind.DELIVERY).u64(session).u64(sequence).end();
    }

    public static DeliveryRecord read(byte[] key, byte[] value) {
        RecordReader name = RecordReader.key(Kind.DELIVERY, key);
        long session = name.u64();
        long sequence = name.u64();
        RecordReader in = RecordReader.value(Kind.DELIVERY, value, VERSION);
        long message = in.varint();
        int flags = in.u8();
        int[] identifiers = new int[in.count()];
        for (int i = 0; i < identifiers.length; i++) {
            identifiers[i] = (int) in.varint();
        }
        long[] generations = new long[in.count()];
        for (int i = 0; i < generations.length; i++) {
            generations[i] = in.varint();
        }
        Terms terms =
                new Terms(
                        flags & 3,
                        (flags & 4) != 0,
                        (flags & 8) != 0,
                        (flags & 16) != 0,
                        identifiers,
                        generations);
        String group = in.text();
        int stage = in.u8();
        if (stage >= STAGES.length) {
            throw in.damaged();
        }
        int packetId = in.u16();
        in.end();
        return new DeliveryRecord(
                session, sequence, message, terms, group, STAGES[stage], packetId);
    }
}
