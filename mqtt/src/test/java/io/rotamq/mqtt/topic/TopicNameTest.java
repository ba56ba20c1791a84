package io.rotamq.mqtt.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNameTest {
    private static ByteBuf buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Unpooled.directBuffer().writeByte('!').writeBytes(bytes);
    }

    private static TopicName cached(TopicNames names, String text) {
        ByteBuf in = buffer(text);
        try {
            TopicName cached = names.get(in, 1, in.readableBytes() - 1);
            assertThat(cached).as(text).isNotNull();
            return cached;
        } finally {
            in.release();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/#", "+", "a\0", "a\ud83d"})
    void refusesWhatIsNoTopicName(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> TopicName.of(text));
    }

    @Test
    void isAtMost65535BytesLong() {
        assertThat(TopicName.of("x".repeat(65_535)).length()).isEqualTo(65_535);
        assertThatIllegalArgumentException().isThrownBy(() -> TopicName.of("x".repeat(65_536)));
    }

    @Test
    void isTheSameFromTextAndFromBytes() {
        TopicNames names = new TopicNames();
        String text = "\u00e9/\ud83d\ude00/";
        for (int length = 0; length < 20; length++) {
            String topic = text + "x".repeat(length);
            TopicName fromBytes = cached(names, topic);
            TopicName fromText = TopicName.of(topic);
            assertThat(fromBytes).isEqualTo(fromText).hasSameHashCodeAs(fromText);
            assertThat(fromBytes).hasToString(topic).isEqualByComparingTo(fromText);
        }
    }

    @Test
    void ordersByBytes() {
        assertThat(TopicName.of("a")).isLessThan(TopicName.of("b"));
        assertThat(TopicName.of("z")).isLessThan(TopicName.of("\u00e9"));
        assertThat(TopicName.of("a")).isLessThan(TopicName.of("a/"));
    }

    @Test
    void writesItsBytes() {
        ByteBuf out = Unpooled.buffer();
        TopicName topic = TopicName.of("$a");
        topic.writeTo(out);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo("2461");
        assertThat(topic.startsWithDollar()).isTrue();
        assertThat(TopicName.of("a$").startsWithDollar()).isFalse();
        assertThat(topic.byteAt(1)).isEqualTo((byte) 'a');
        assertThat(topic.toUtf8()).containsExactly('$', 'a');
    }

    @Test
    void spreadsSimilarTopics() {
        long buckets =
                IntStream.range(0, 4_096)
                        .mapToObj(device -> TopicName.of("devices/" + device + "/state"))
                        .mapToInt(topic -> topic.hashCode() & 4_095)
                        .distinct()
                        .count();
        // Thrown at random, 4,096 names fill 63 % of as many slots.
        assertThat(buckets).isBetween(2_450L, 2_750L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/#", "+", "a\0"})
    void isNoneFromBytesThatAreNone(String text) {
        TopicNames names = new TopicNames();
        ByteBuf in = buffer(text);
        try {
            assertThat(names.get(in, 1, in.readableBytes() - 1)).isNull();
            assertThat(names.get(in, 1, in.readableBytes() - 1)).isNull();
        } finally {
            in.release();
        }
        assertThat(TopicName.parse(text.getBytes(StandardCharsets.UTF_8))).isNull();
    }

    @Test
    void isNoneFromBytesThatAreNotUtf8() {
        assertThat(TopicName.parse(new byte[] {'a', (byte) 0xC3})).isNull();
    }

    @Test
    void isCachedUntilAnotherTakesItsSlot() {
        TopicNames names = new TopicNames(1);
        TopicName first = cached(names, "a");
        assertThat(cached(names, "a")).isSameAs(first);
        TopicName second = cached(names, "b");
        assertThat(second).isEqualTo(TopicName.of("b"));
        assertThat(cached(names, "a")).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void isNotCachedWhenItIsLong() {
        TopicNames names = new TopicNames();
        TopicName first = cached(names, "x".repeat(257));
        assertThat(cached(names, "x".repeat(257))).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void isCachedInAPowerOfTwoOfSlots() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TopicNames(3));
        assertThatIllegalArgumentException().isThrownBy(() -> new TopicNames(0));
    }
}
