package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that are not UTF-8, and those that are and look strange. */
class Utf8CasesTest extends CaseTest {
    private static final int TIMES = 20;

    private Canary canary;

    @BeforeEach
    void openCanary() {
        canary = new Canary(broker);
    }

    @AfterEach
    void canaryMustLive() {
        canary.mustLive();
        canary.close();
    }

    @ParameterizedTest
    @Tag("C97")
    @ValueSource(strings = {"fffe", "610062", "61eda080", "c0af", "f0808080", "f4908080", "e28c"})
    void aClientIdOrUserNameThatIsNotUtf8IsRefused(String hex) {
        int sessions = broker.sessions();
        byte[] wrong = Bytes.hex(hex);
        for (int i = 0; i < TIMES; i++) {
            for (int level = 4; level <= 5; level++) {
                Bytes id = ConnectPacket.header("MQTT", level, 0x02, 60);
                refused(level, (level == 5 ? id.u8(0) : id).binary(wrong));
                Bytes user = ConnectPacket.header("MQTT", level, 0x82, 60);
                refused(level, (level == 5 ? user.u8(0) : user).text(Fresh.id()).binary(wrong));
            }
        }
        // Sessions of the test before may still end meanwhile.
        assertThat(broker.sessions()).isLessThanOrEqualTo(sessions);
    }

    private static void refused(int level, Bytes connect) {
        RawClient client = broker.open().level(level);
        client.send(connect.packet(0x10));
        List<Received> answer = client.readUntilClosed(RawClient.PATIENCE);
        assertThat(answer).allMatch(p -> p.type() == Type.CONNACK && p.code() > 0);
        client.close();
    }

    @Test
    @Tag("C97")
    void strangeButLegalClientIdsWork() {
        for (String id : List.of("a/b c", "line\nbreak", "\uD83D\uDE80", "x".repeat(65_000))) {
            RawClient client = broker.client(lasting(id));
            client.subscribe(shared, 1);
            client.leave();
            publisher.publish(topic, "while away", 1);
            RawClient back = broker.open();
            assertThat(back.connect(lasting(id)).sessionPresent()).isTrue();
            assertThat(back.receive().text()).isEqualTo("while away");
            back.unsubscribe(shared);
            back.leave();
            assertThat(broker.kick(id)).isTrue();
        }
    }

    @ParameterizedTest
    @Tag("C98")
    @ValueSource(
            strings = {
                "3007 0003 610062 00 78", // NUL in a topic
                "3008 0004 61eda080 00 78", // a surrogate in a topic
                "820a 0001 00 0004 61eda080 00", // in a filter
                "a209 0001 00 0004 61eda080",
                "300d 0001 74 08 26 0001 ff 0002 6162 78", // in a user property
                "3009 0001 74 04 03 0001 ff 78", // in the content type
                "8213 0001 00 000d 2473686172652f672f 61eda080 01" // in a share filter
            })
    void stringsThatAreNotUtf8EndTheConnection(String hex) {
        for (int i = 0; i < TIMES; i++) {
            RawClient client = broker.v5();
            client.send(hex);
            client.expectDisconnect(0x81, 0x82, 0x90, 0x8F);
            client.close();
        }
    }

    @Test
    @Tag("C98")
    void aByteOrderMarkIsDataAndNothingIsNormalised() {
        RawClient client = broker.v5();
        client.subscribe("\uFEFF" + topic, 1);
        client.subscribe(topic + "/\u00E9", 1);
        publisher.publish(topic, "without mark", 1);
        publisher.publish(topic + "/e\u0301", "two code points", 1);
        publisher.publish("\uFEFF" + topic, "with mark", 1);
        publisher.publish(topic + "/\u00E9", "one code point", 1);
        List<Received> got = client.receive(2);
        assertThat(texts(got)).containsExactly("with mark", "one code point");
        assertThat(got.getFirst().topic()).isEqualTo("\uFEFF" + topic);
        nothingMoreAt(client);
    }

    @Test
    @Tag("C98")
    void aPayloadThatIsNotTheUtf8ItSaysIsPassedOnOrRefused() {
        RawClient client = broker.v5();
        client.subscribe(topic, 1);
        byte[] payload = {(byte) 0xFF, (byte) 0xFE};
        Received ack =
                publisher.publish(
                        PublishPacket.of(topic, "")
                                .payload(payload)
                                .qos(1, 1)
                                .with(Property.PAYLOAD_FORMAT, 1));
        if (ack.code() == 0x99) {
            nothingMoreAt(client);
        } else {
            assertThat(client.receive().payload()).isEqualTo(payload);
        }
    }

    @Test
    @Tag("C98")
    void theLongestTopicIsServed() {
        String longest = topic + "x".repeat(65_535 - topic.length());
        RawClient client = broker.v5();
        client.subscribe(longest, 1);
        publisher.publish(longest, "x", 1);
        assertThat(client.receive().topic().getBytes(StandardCharsets.UTF_8)).hasSize(65_535);
    }
}
