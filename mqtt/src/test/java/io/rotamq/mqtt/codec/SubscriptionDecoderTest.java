package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionDecoderTest {
    private final PacketDecoder v5 = Connections.v5();
    private final PacketDecoder v3 = Connections.v3();

    private static Packet decode(PacketDecoder decoder, String hex) throws MqttException {
        return Wire.decodeWhole(decoder, Wire.fromHex(hex));
    }

    private static ByteBuf subscribe(String filterInHex, int options) {
        return Wire.packet(0x82).u16(1).u8(0).hex(filterInHex).u8(options).buffer();
    }

    @Test
    void readsFiltersWithTheirOptionsInOrder() throws MqttException {
        Wire packet =
                Wire.packet(0x82)
                        .u16(4660)
                        .properties(Wire.part().u8(0x26).string("a").string("1").hex("0b 8001"))
                        .string("a/+")
                        .u8(0x2E)
                        .string("$share/g/t")
                        .u8(0x01)
                        .string("t")
                        .u8(0x10);
        assertThat(Wire.decodeWhole(v5, packet.buffer()))
                .isEqualTo(
                        new Subscribe(
                                4660,
                                128,
                                List.of(
                                        new SubscribeRequest("a/+", 2, true, true, 2),
                                        new SubscribeRequest("$share/g/t", 1, false, false, 0),
                                        new SubscribeRequest("t", 0, false, false, 1)),
                                List.of(new UserProperty("a", "1"))));
    }

    @Test
    void readsMqtt3() throws MqttException {
        assertThat(decode(v3, "820a 0001 0001 61 00 0001 62 02"))
                .isEqualTo(
                        new Subscribe(
                                1,
                                0,
                                List.of(
                                        new SubscribeRequest("a", 0, false, false, 0),
                                        new SubscribeRequest("b", 2, false, false, 0)),
                                List.of()));
        assertThat(decode(v3, "a208 0003 0001 61 0001 62"))
                .isEqualTo(new Unsubscribe(3, List.of("a", "b"), List.of()));
    }

    @Test
    void readsUnsubscribe() throws MqttException {
        Wire packet =
                Wire.packet(0xA2)
                        .u16(300)
                        .properties(Wire.part().u8(0x26).string("a").string("1"))
                        .string("a")
                        .string("a");
        assertThat(Wire.decodeWhole(v5, packet.buffer()))
                .isEqualTo(
                        new Unsubscribe(
                                300, List.of("a", "a"), List.of(new UserProperty("a", "1"))));
    }

    @ParameterizedTest
    @CsvSource({"0b 01, 1", "0b 8001, 128", "0b ffffff7f, 268435455"})
    @Tag("mqtt5")
    @Tag("X5-3.8.2.1.2-a")
    void takesTheWholeRangeOfIdentifiers(String property, int id) throws MqttException {
        Wire packet = Wire.packet(0x82).u16(1).properties(Wire.part().hex(property));
        Subscribe read = (Subscribe) Wire.decodeWhole(v5, packet.string("t").u8(1).buffer());
        assertThat(read.subscriptionId()).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        "82090001020b0000017400, 0x82",
        "820b 0001 04 0b05 0b06 000174 00, 0x82",
        "820b0001030b80800100017401, 0x81",
        "820b 0001 04 0b808080 000174 00, 0x81",
        "820c 0001 05 0b8080808001 000174 00, 0x81",
        "8209 0001 02 0b8000 0174 00, 0x81"
    })
    @Tag("mqtt5")
    @Tag("X5-3.8.2.1.2-a")
    void refusesBadIdentifiers(String packet, int code) {
        ByteBuf in = Wire.fromHex(packet);
        in.setByte(1, in.readableBytes() - 2);
        assertThat(refusalCode(v5, in)).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a#",
                "a/#/b",
                "#/a",
                "a+",
                "+a/b",
                "",
                "$share/g",
                "$share//t",
                "$share/g+/t",
                "#abc"
            })
    void passesOnFiltersThatFailAlone(String filter) throws MqttException {
        Wire packet = Wire.packet(0x82).u16(1).u8(0).string(filter).u8(0);
        Subscribe read = (Subscribe) Wire.decodeWhole(v5, packet.buffer());
        assertThat(read.requests().getFirst().filter()).isEqualTo(filter);

        Wire unsubscribe = Wire.packet(0xA2).u16(1).u8(0).string(filter);
        Unsubscribe left = (Unsubscribe) Wire.decodeWhole(v5, unsubscribe.buffer());
        assertThat(left.filters()).containsExactly(filter);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.8.3-2")
    void refusesASubscribeWithoutFilters() {
        assertThat(refusalCode(v5, "8203000100")).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.10.3-2")
    void refusesAnUnsubscribeWithoutFilters() {
        assertThat(refusalCode(v5, "a203000100")).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.8.3-3")
    void refusesAMqtt3SubscribeWithoutFilterOrQos() {
        assertThat(refusalCode(v3, "82020001")).isEqualTo(0x82);
        assertThat(refusalCode(v3, "82050001000174")).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.10.3-2")
    void refusesAMqtt3UnsubscribeWithoutFilters() {
        assertThat(refusalCode(v3, "a2020001")).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.8.3-2")
    void refusesAFilterWithoutOptions() {
        assertThat(refusalCode(v5, "8206000100000174")).isEqualTo(0x81);
        assertThat(refusalCode(Connections.v5(), "8206000100007f74")).isEqualTo(0x81);
        ByteBuf long1024 = Wire.packet(0x82).u16(1).u8(0).string("t".repeat(1024)).buffer();
        assertThat(refusalCode(Connections.v5(), long1024)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x80, 0xC0, 0x41})
    @Tag("mqtt5")
    @Tag("MQTT-3.8.3-5")
    void refusesReservedOptions(int options) {
        assertThat(refusalCode(v5, subscribe("0001 74", options))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.8.3.1-a")
    void refusesRequestedQos3() {
        assertThat(refusalCode(v5, subscribe("0001 74", 3))).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.8.3.1-b")
    void refusesRetainHandling3() {
        assertThat(refusalCode(v5, subscribe("0001 74", 0x30))).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"03", "04", "08", "10", "20", "40", "80", "ff"})
    @Tag("mqtt311")
    @Tag("MQTT-3.8.3-4")
    void refusesEverythingButAQosInMqtt3(String options) {
        assertThat(refusalCode(v3, "8206 0001 000174" + options)).isGreaterThanOrEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001 ff", "0004 61eda080", "0002 6100"})
    @Tag("mqtt5")
    @Tag("MQTT-3.8.3-1")
    void refusesAFilterThatIsNotUtf8(String filter) {
        assertThat(refusalCode(v5, subscribe(filter, 0))).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001 ff", "0002 6100"})
    @Tag("mqtt5")
    @Tag("MQTT-3.10.3-1")
    void refusesAFilterToLeaveThatIsNotUtf8(String filter) {
        ByteBuf packet = Wire.packet(0xA2).u16(1).u8(0).hex(filter).buffer();
        assertThat(refusalCode(v5, packet)).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.8.3-1")
    void refusesAMqtt3FilterThatIsNotUtf8() {
        assertThat(refusalCode(v3, "8206 0001 0001ff 00")).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.10.3-1")
    void refusesAMqtt3FilterToLeaveThatIsNotUtf8() {
        assertThat(refusalCode(v3, "a205 0001 0001ff")).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8207 0000 00 000174 01", "a206 0000 00 000174"})
    @Tag("mqtt5")
    @Tag("MQTT-2.2.1-3")
    void refusesIdentifierZero(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8206 0000 000174 01", "a205 0000 000174"})
    @Tag("mqtt311")
    @Tag("MQTT-2.3.1-1")
    void refusesIdentifierZeroInMqtt3(String packet) {
        assertThat(refusalCode(v3, packet)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8200", "820100", "82020001", "a200", "a20100", "a2020001"})
    void refusesHeadersCutShort(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8208 0001 800000 017400", "a2080001 8000 0001 740001"})
    @Tag("mqtt5")
    @Tag("MQTT-1.5.5-1")
    void refusesAPropertyLengthNotInItsShortestForm(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1f 0001 61", "11 00000000", "23 0001"})
    @Tag("mqtt5")
    @Tag("X5-2.2.2-a")
    void refusesPropertiesOutOfPlace(String properties) {
        Wire list = Wire.part().hex(properties);
        ByteBuf subscribe = Wire.packet(0x82).u16(1).properties(list).string("t").u8(0).buffer();
        assertThat(refusalCode(v5, subscribe)).isEqualTo(0x81);
        ByteBuf unsubscribe =
                Wire.packet(0xA2).u16(1).properties(Wire.part().hex("0b 01")).string("t").buffer();
        assertThat(refusalCode(Connections.v5(), unsubscribe)).isEqualTo(0x81);
    }

    @Test
    void takesAFilterOfOnlySlashes() throws MqttException {
        String slashes = "/".repeat(65_535);
        Wire packet = Wire.packet(0x82).u16(1).u8(0).string(slashes).u8(0);
        Subscribe read = (Subscribe) Wire.decodeWhole(v5, packet.buffer());
        assertThat(read.requests().getFirst().filter()).isEqualTo(slashes);
    }
}
