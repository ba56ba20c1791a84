package io.rotamq.core.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class RecordsTest {
    private static final long BIG = (7L << 40) + 12_345;
    private static final Publish PUBLISH =
            new Publish(
                    TopicName.of("a/ü"),
                    new byte[] {1, 2, 3},
                    2,
                    true,
                    false,
                    0,
                    60,
                    new byte[] {9});
    private static final Content CONTENT = new Content(PUBLISH, "pub", BIG, 1_700_000_000_000L);

    @Test
    void aMessageIsReadAsItWasWritten() {
        same(roundTrip(new MessageRecord(BIG, CONTENT)::put, MessageRecord::read).content());
        assertThat(roundTrip(new MessageRecord(BIG, CONTENT)::put, MessageRecord::read).id())
                .isEqualTo(BIG);
    }

    @Test
    void aMessageThatNeverExpiresStaysSo() {
        Publish publish =
                new Publish(TopicName.of("t"), new byte[0], 1, false, false, 0, -1, new byte[0]);
        Content read =
                roundTrip(
                                new MessageRecord(1, new Content(publish, "", 0, Content.NEVER))
                                        ::put,
                                MessageRecord::read)
                        .content();
        assertThat(read.deadline()).isEqualTo(Content.NEVER);
        assertThat(read.publish().messageExpiry()).isEqualTo(-1);
        assertThat(read.publisher()).isEmpty();
    }

    @Test
    void aRetainedMessageIsReadAsItWasWritten() {
        same(
                roundTrip(
                                new RetainedRecord(CONTENT)::put,
                                (key, value) -> RetainedRecord.read(value))
                        .content());
    }

    @Test
    void aSessionIsReadAsItWasWritten() {
        SessionRecord plain =
                new SessionRecord(BIG, "client", 0xFFFF_FFFFL, SessionRecord.CONNECTED, null);
        assertThat(roundTrip(plain::put, SessionRecord::read)).isEqualTo(plain);
        Will will =
                new Will(TopicName.of("will"), new byte[] {5}, 1, true, 30, -1, new byte[] {4, 3});
        SessionRecord read =
                roundTrip(
                        new SessionRecord(BIG, "client", 5, 1_700_000_000_000L, will)::put,
                        SessionRecord::read);
        assertThat(read.away()).isEqualTo(1_700_000_000_000L);
        assertThat(read.will()).usingRecursiveComparison().isEqualTo(will);
    }

    @Test
    void aSubscriptionIsReadAsItWasWritten() {
        for (String filter : List.of("a/+/ü", "$share/g/a/#", "$queue/x")) {
            SubscriptionRecord record =
                    new SubscriptionRecord(
                            BIG,
                            Objects.requireNonNull(SubscriptionFilter.parse(filter)),
                            new SubscriptionRecord.Options(2, false, true),
                            268_435_455,
                            BIG + 2,
                            BIG + 1,
                            List.of("dev-*", ""));
            assertThat(roundTrip(record::put, SubscriptionRecord::read)).isEqualTo(record);
        }
    }

    @Test
    void aDeliveryIsReadAsItWasWritten() {
        DeliveryRecord.Terms terms =
                new DeliveryRecord.Terms(
                        2, true, false, true, new int[] {1, 1, 70_000}, new long[] {BIG});
        DeliveryRecord record =
                new DeliveryRecord(
                        BIG,
                        3,
                        BIG + 4,
                        terms,
                        "$share/g/a",
                        DeliveryRecord.Stage.RELEASED,
                        65_535);
        assertThat(roundTrip(record::put, DeliveryRecord::read))
                .usingRecursiveComparison()
                .isEqualTo(record);
    }

    @Test
    void whatIsInboundAndWhatIsABacklogIsReadAsItWasWritten() {
        InboundRecord inbound = new InboundRecord(BIG, 65_535);
        assertThat(roundTrip(inbound::put, InboundRecord::read)).isEqualTo(inbound);
        BacklogRecord backlog = new BacklogRecord("$share/gü/a", BIG, true);
        assertThat(roundTrip(backlog::put, BacklogRecord::read)).isEqualTo(backlog);
        StartsRecord starts = new StartsRecord(3);
        StartsRecord read = roundTrip(starts::put, (key, value) -> StartsRecord.read(value));
        assertThat(read).isEqualTo(starts);
    }

    @Test
    void aNewerFormatIsRefusedWithAMessageThatSaysWhatToDo() {
        Entry entry = entry(new InboundRecord(1, 1)::put);
        entry.value()[0] = 2;
        assertThatThrownBy(() -> InboundRecord.read(entry.key(), entry.value()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("inbound has format 2")
                .hasMessageContaining("start the version that wrote it");
    }

    @Test
    void aRecordCutAnywhereIsCalledDamaged() {
        Entry entry = entry(new MessageRecord(1, CONTENT)::put);
        for (int length = 0; length < entry.value().length; length++) {
            byte[] cut = Arrays.copyOf(entry.value(), length);
            assertThatThrownBy(() -> MessageRecord.read(entry.key(), cut))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is damaged");
        }
    }

    @Test
    void allOfASessionGoesWithIt() {
        Batch batch = new Batch();
        SessionRecord.deleteAll(batch, 1, true);
        assertThat(batch.entries()).isEqualTo(4);
        assertThat(batch.isTakenWhenNearlyFull()).isTrue();
    }

    private static void same(Content read) {
        assertThat(read).usingRecursiveComparison().isEqualTo(CONTENT);
    }

    private record Entry(byte[] key, byte[] value) {}

    private interface Writer {
        void put(Batch batch);
    }

    private static <R> R roundTrip(Writer writer, BiFunction<byte[], byte[], R> reader) {
        Entry entry = entry(writer);
        return reader.apply(entry.key(), entry.value());
    }

    private static Entry entry(Writer writer) {
        Batch batch = new Batch();
        writer.put(batch);
        Entry[] found = new Entry[1];
        batch.forEach(
                new Batch.Visitor() {
                    @Override
                    public void put(Kind kind, byte[] a, int key, int keyLength, int v, int l) {
                        found[0] =
                                new Entry(
                                        Arrays.copyOfRange(a, key, key + keyLength),
                                        Arrays.copyOfRange(a, v, v + l));
                    }

                    @Override
                    public void delete(Kind kind, byte[] array, int key, int keyLength) {}

                    @Override
                    public void deleteRange(
                            Kind kind, byte[] array, int from, int f, int to, int t) {}
                });
        return Objects.requireNonNull(found[0]);
    }
}
