package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.UnsubscribePacket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that no client may send. Each is sent by 50 clients, so that every event loop meets it, and
 * ends the connection of its sender alone.
 */
class MalformedCasesTest {
    private static final int TIMES = 50;

    @AutoClose private static final TestBroker broker = TestBroker.start();

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

    /** After a good CONNECT; in MQTT 5 answered with one of the codes. */
    private static void ends(int level, byte[] bytes, Integer... codes) {
        for (int i = 0; i < TIMES; i++) {
            RawClient client = broker.client(level);
            client.send(bytes);
            client.expectViolation(codes);
            client.close();
        }
    }

    private static void ends(int level, String hex, Integer... codes) {
        ends(level, Bytes.hex(hex), codes);
    }

    /** As the first bytes of a connection; there is no CONNACK of success. */
    private static void endsAtOnce(byte[] bytes) {
        for (int i = 0; i < TIMES; i++) {
            RawClient client = broker.open().level(5);
            client.send(bytes);
            List<Received> answer = client.readUntilClosed(RawClient.PATIENCE);
            assertThat(answer).allMatch(p -> p.type() == Type.CONNACK && p.code() >= 0x80);
            client.close();
        }
    }

    @ParameterizedTest
    @Tag("C82")
    @CsvSource({
        "5, 8206 0001 00 0001 74", // no options byte
        "5, 8206 0001 00 007f 74", // filter longer than the packet
        "4, 8205 0001 0001 74",
    })
    void aSubscribeThatEndsTooEarly(int level, String hex) {
        ends(level, hex, 0x81);
    }

    @Test
    @Tag("C82")
    void aLongSubscribeThatEndsTooEarly() {
        byte[] filter = "f".repeat(1_024).getBytes(StandardCharsets.US_ASCII);
        ends(5, new Bytes().u16(1).u8(0).binary(filter).packet(0x82), 0x81);
    }

    @ParameterizedTest
    @Tag("C83")
    @CsvSource({
        "4, 3203 0001 74",
        "5, 3204 0001 74 00", // one byte of an identifier
        "5, 3008 0001 74 68 656c6c6f", // properties longer than the packet
    })
    void aPublishWithoutItsIdentifierOrProperties(int level, String hex) {
        ends(level, hex, 0x81);
    }

    @ParameterizedTest
    @Tag("C84")
    @ValueSource(
            strings = {"2003 000000", "9004 0001 0000", "b004 0001 0000", "d000", "f000", "0000"})
    void aPacketThatOnlyServersSend(String hex) {
        ends(5, hex, 0x82, 0x81);
        ends(4, hex);
    }

    @ParameterizedTest
    @Tag("C85")
    @ValueSource(
            strings = {
                "6002 0001",
                "8007 0001 00 0001 74 01",
                "c100",
                "e100",
                "3607 0001 74 0001 00 78"
            })
    void reservedHeaderBits(String hex) {
        ends(5, hex, 0x81);
    }

    @Test
    @Tag("C85")
    void reservedHeaderBitsOfConnect() {
        endsAtOnce(Bytes.hex("1f0e 0004 4d515454 04 02 003c 0002 6b31"));
    }

    @Test
    @Tag("C86")
    void aFirstPacketThatIsNotConnect() {
        endsAtOnce(Bytes.hex("c000"));
        endsAtOnce(Bytes.hex("8207 0001 00 0001 74 01"));
        endsAtOnce("GET / HTTP/1.1\r\nHost: broker\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        endsAtOnce(Bytes.hex("16030100c8010000c40303" + "00".repeat(194)));
    }

    @ParameterizedTest
    @Tag("C86")
    @ValueSource(ints = {4, 5})
    void aSecondConnect(int level) {
        ends(level, ConnectPacket.of(level, Fresh.id()).encode(), 0x82);
    }

    @ParameterizedTest
    @Tag("C87")
    @ValueSource(
            strings = {
                "100f 0004 4d515454 05 22 003c 00 0002 6b31", // will retain without a will
                "100f 0004 4d515454 05 0a 003c 00 0002 6b31", // will QoS without a will
                "100f 0004 4d515454 05 03 003c 00 0002 6b31", // reserved flag
                "100f 0004 4d515454 05 82 003c 00 0002 6b31", // user name missing
                "100f 0004 4d515454 05 1e 003c 00 0002 6b31", // will QoS 3
                "100e 0004 4d515454 04 06 003c 0002 6b31", // will missing
                "1010 0004 4d515454 05 02 003c 00 0002 6b31 00", // a byte too much
                "100f 0004 4d515454 04 02 003c 0002 6b31 00"
            })
    void connectFlagsThatContradictThePayload(String hex) {
        endsAtOnce(Bytes.hex(hex));
    }

    @ParameterizedTest
    @Tag("C88")
    @ValueSource(
            strings = {
                "1015 0004 4d515454 05 02 003c 06 21000a 210005 0002 6b31", // twice
                "1012 0004 4d515454 05 02 003c 03 210000 0002 6b31",
                "1014 0004 4d515454 05 02 003c 05 2700000000 0002 6b31",
                "1014 0004 4d515454 05 02 003c 05 0b00000001 0002 6b31"
            })
    void connectPropertiesThatAreRepeatedZeroOrForeign(String hex) {
        endsAtOnce(Bytes.hex(hex));
    }

    @Test
    @Tag("C88")
    void anUnknownPropertyInPublish() {
        ends(5, "3007 0001 74 02 7f00 78", 0x81, 0x82);
    }

    @Test
    @Tag("C89")
    void anEmptyTopicName() {
        ends(4, "3003 0000 78");
        ends(5, "3004 0000 00 78", 0x82, 0x81, 0x90);
    }

    @ParameterizedTest
    @Tag("C91")
    @ValueSource(strings = {"30ffffffff01", "8208 0001 8000 0001 74 00", "8207 0001 ff 0001 74 01"})
    void variableByteIntegersThatAreTooLongOrNotMinimal(String hex) {
        ends(5, hex, 0x81);
    }

    @ParameterizedTest
    @Tag("C92")
    @ValueSource(
            strings = {
                "8203 0001 00", // no filter
                "a203 0001 00",
                "8207 0001 00 0001 74 c0", // reserved option bits
                "8207 0001 00 0001 74 30", // Retain Handling 3
                "8207 0001 00 0001 74 03" // QoS 3
            })
    void aSubscribeOrUnsubscribeWithoutSense(String hex) {
        ends(5, hex, 0x81, 0x82);
    }

    @Test
    @Tag("C92")
    void anEmptyFilterIsRefusedAndNeverShortensTheSuback() {
        for (int i = 0; i < TIMES; i++) {
            RawClient client = broker.v5();
            client.send(SubscribePacket.id(1).filter("t", 0).filter("", 0).filter("a/#/b", 0));
            Received answer = client.read();
            if (answer.type() == Type.SUBACK) {
                assertThat(answer.codes()).containsExactly(0, 0x8F, 0x8F);
            } else {
                assertThat(answer.type()).isEqualTo(Type.DISCONNECT);
                assertThat(answer.code()).isIn(0x81, 0x82);
            }
            client.close();
        }
    }

    @Test
    @Tag("C94")
    void topicsAndFiltersOfVeryManyLevels() {
        String slashes = "/".repeat(65_535);
        String pluses = "+/".repeat(32_767);
        for (int i = 0; i < TIMES; i++) {
            RawClient client = i % 2 == 0 ? broker.v5() : broker.v4();
            client.send(
                    SubscribePacket.id(1)
                            .filter(slashes, 0)
                            .filter(pluses, 1)
                            .filter("$share/g/" + slashes.substring(20), 1),
                    UnsubscribePacket.id(2).filter(slashes).filter(pluses),
                    PublishPacket.of(slashes, "deep").qos(1, 3).retain(),
                    PublishPacket.of(slashes, "").qos(1, 4).retain());
            // Refused or served: either way the next client is.
            client.poll(RawClient.PATIENCE);
            client.close();
        }
        for (int i = 0; i < 64; i++) {
            try (RawClient healthy = broker.v5()) {
                healthy.subscribe("healthy", 1);
                healthy.publish("healthy", "yes", 1);
                assertThat(healthy.receive().text()).isEqualTo("yes");
            }
        }
    }

    @ParameterizedTest
    @Tag("C95")
    @ValueSource(
            strings = {
                "c001 00", // PINGREQ with a body
                "300b 0001 74 06 08 0003 722f23 78", // response topic with a wildcard
                "3007 0003 612f23 00 78", // topic with a wildcard
                "3007 0003 612f2b 00 78"
            })
    void smallOnesThatAreOftenForgotten(String hex) {
        ends(5, hex, 0x81, 0x82, 0x90);
    }

    @ParameterizedTest
    @Tag("C95")
    @ValueSource(strings = {"#abc", "a/#/b", "a+", "sport+/x", "a/b#"})
    void misplacedWildcardsAreRefused(String filter) {
        RawClient client = broker.v5();
        assertThat(client.trySubscribe(SubscribePacket.id(1).filter(filter, 0)).codes())
                .containsExactly(0x8F);
        assertThat(client.unsubscribe(filter).codes()).allMatch(code -> code > 0);
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    @Tag("C82")
    @Tag("C83")
    void everyPrefixOfGoodPacketsFollowedByTheEndOfTheStream() {
        byte[] good =
                new Bytes()
                        .raw(ConnectPacket.v5(Fresh.id()).encode())
                        .raw(SubscribePacket.id(1).filter("$share/g/cut", 1).encode(5))
                        .raw(PublishPacket.of("cut", "payload").qos(2, 2).encode(5))
                        .toArray();
        for (int cut = 0; cut < good.length; cut++) {
            try (RawClient client = broker.open().level(5)) {
                client.send(Arrays.copyOf(good, cut));
                client.finishSending();
                client.readUntilClosed(RawClient.PATIENCE);
            }
        }
    }
}
