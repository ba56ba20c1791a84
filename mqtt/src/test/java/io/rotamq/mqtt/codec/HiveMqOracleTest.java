package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.internal.mqtt.codec.decoder.MqttDecoderContext;
import com.hivemq.client.internal.mqtt.codec.decoder.MqttMessageDecoder;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5ConnAckDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5DisconnectDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5PubAckDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5PubCompDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5PubRecDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5PubRelDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5PublishDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5SubAckDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.decoder.mqtt5.Mqtt5UnsubAckDecoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.MqttEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.MqttPingReqEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5AuthEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5ClientMessageEncoders_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5ConnectEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5DisconnectEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5PubAckEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5PubCompEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5PubRecEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5PubRelEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5PublishEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5SubscribeEncoder_Factory;
import com.hivemq.client.internal.mqtt.codec.encoder.mqtt5.Mqtt5UnsubscribeEncoder_Factory;
import com.hivemq.client.internal.mqtt.datatypes.MqttClientIdentifierImpl;
import com.hivemq.client.internal.mqtt.message.MqttMessage;
import com.hivemq.client.internal.mqtt.message.MqttMessageWithUserProperties;
import com.hivemq.client.internal.mqtt.message.connect.MqttConnect;
import com.hivemq.client.internal.mqtt.message.publish.MqttPublish;
import com.hivemq.client.internal.mqtt.message.publish.MqttStatefulPublish;
import com.hivemq.client.internal.mqtt.message.subscribe.MqttSubscribe;
import com.hivemq.client.internal.mqtt.message.unsubscribe.MqttUnsubscribe;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.datatypes.MqttTopicFilter;
import com.hivemq.client.mqtt.mqtt5.message.Mqtt5ReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.Mqtt5Unsubscribe;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.unsuback.Mqtt5UnsubAck;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rotamq.mqtt.Acknowledgement;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.TopicName;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The codec inside the HiveMQ client, the strictest of those around, writes what we read and reads
 * what we write.
 */
class HiveMqOracleTest {
    private static final int ROUNDS = 300;
    private static final String[] TEXTS = {
        "a", "a/b", "\u00e9/\u4e2d", "\ud83d\ude00", "x".repeat(200)
    };

    private final SplittableRandom random = new SplittableRandom(11);

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<UserProperty> pairs() {
        List<UserProperty> pairs = new ArrayList<>();
        for (int count = random.nextInt(3); count > 0; count--) {
            pairs.add(new UserProperty(text(), text()));
        }
        return pairs;
    }

    private static List<UserProperty> ours(MqttMessageWithUserProperties message) {
        return message.getUserProperties().asList().stream()
                .map(
                        pair ->
                                new UserProperty(
                                        pair.getName().toString(), pair.getValue().toString()))
                .toList();
    }

    /** The client's half of the codec, as its pipeline uses it. */
    private static EmbeddedChannel encoder() {
        var publish = Mqtt5PublishEncoder_Factory.newInstance();
        return new EmbeddedChannel(
                MqttEncoder_Factory.newInstance(
                        Mqtt5ClientMessageEncoders_Factory.newInstance(
                                Mqtt5ConnectEncoder_Factory.newInstance(publish),
                                publish,
                                Mqtt5PubAckEncoder_Factory.newInstance(),
                                Mqtt5PubRecEncoder_Factory.newInstance(),
                                Mqtt5PubRelEncoder_Factory.newInstance(),
                                Mqtt5PubCompEncoder_Factory.newInstance(),
                                Mqtt5SubscribeEncoder_Factory.newInstance(),
                                Mqtt5UnsubscribeEncoder_Factory.newInstance(),
                                MqttPingReqEncoder_Factory.newInstance(),
                                Mqtt5DisconnectEncoder_Factory.newInstance(),
                                Mqtt5AuthEncoder_Factory.newInstance())));
    }

    private static Packet sent(EmbeddedChannel client, PacketDecoder decoder, MqttMessage message)
            throws MqttException {
        client.writeOutbound(message);
        ByteBuf in = client.readOutbound();
        try {
            return Canonical.of(Wire.decodeWhole(decoder, in));
        } finally {
            in.release();
        }
    }

    private HiveMqMessage message() {
        return new HiveMqMessage(
                text(),
                bytes(),
                random.nextInt(3),
                random.nextBoolean(),
                random.nextLong(1L << 32),
                random.nextBoolean(),
                text(),
                text(),
                bytes(),
                pairs());
    }

    @Test
    void writesAPublishThatWeRead() throws MqttException {
        EmbeddedChannel client = encoder();
        PacketDecoder decoder = Connections.v5();
        for (int round = 0; round < ROUNDS; round++) {
            HiveMqMessage message = message();
            int packetId = message.qos() == 0 ? 0 : 1 + random.nextInt(65_535);
            boolean dup = message.qos() > 0 && random.nextBoolean();
            MqttStatefulPublish publish =
                    ((MqttPublish) message.theirs())
                            .createStateful(
                                    packetId == 0
                                            ? MqttStatefulPublish.NO_PACKET_IDENTIFIER_QOS_0
                                            : packetId,
                                    dup,
                                    MqttStatefulPublish.DEFAULT_NO_TOPIC_ALIAS,
                                    MqttStatefulPublish.DEFAULT_NO_SUBSCRIPTION_IDENTIFIERS);
            assertThat(Contents.of(sent(client, decoder, publish)))
                    .isEqualTo(Contents.of(message.ours(packetId, dup)));
        }
    }

    @Test
    void writesAConnectThatWeRead() throws MqttException {
        EmbeddedChannel client = encoder();
        for (int round = 0; round < ROUNDS; round++) {
            HiveMqMessage message = message();
            long delay = random.nextLong(1L << 32);
            ConnectProperties properties =
                    new ConnectProperties(
                            random.nextLong(1L << 32),
                            1 + random.nextInt(65_535),
                            1 + random.nextInt(1 << 28),
                            random.nextInt(65_536),
                            random.nextBoolean(),
                            random.nextBoolean(),
                            null,
                            null,
                            pairs());
            Connect expected =
                    new Connect(
                            ProtocolVersion.MQTT_5,
                            text(),
                            random.nextBoolean(),
                            random.nextInt(65_536),
                            properties,
                            new Will(
                                    TopicName.of(message.topic()),
                                    message.payload(),
                                    message.qos(),
                                    message.retain(),
                                    delay,
                                    message.expiry(),
                                    message.properties()),
                            text(),
                            bytes());
            MqttMessage connect =
                    theirs(expected, message.theirs())
                            .createStateful(MqttClientIdentifierImpl.of(expected.clientId()), null);
            assertThat(Contents.of(sent(client, Connections.fresh(), connect)))
                    .isEqualTo(Contents.of(expected));
        }
    }

    private static MqttConnect theirs(Connect from, Mqtt5Publish will) {
        ConnectProperties properties = from.properties();
        return (MqttConnect)
                Mqtt5Connect.builder()
                        .cleanStart(from.cleanStart())
                        .keepAlive(from.keepAlive())
                        .sessionExpiryInterval(properties.sessionExpiry())
                        .restrictions(
                                Mqtt5ConnectRestrictions.builder()
                                        .receiveMaximum(properties.receiveMaximum())
                                        .maximumPacketSize((int) properties.maximumPacketSize())
                                        .topicAliasMaximum(properties.topicAliasMaximum())
                                        .requestResponseInformation(
                                                properties.requestResponseInformation())
                                        .requestProblemInformation(
                                                properties.requestProblemInformation())
                                        .build())
                        .simpleAuth(
                                Mqtt5SimpleAuth.builder()
                                        .username(from.username())
                                        .password(from.password())
                                        .build())
                        .willPublish(
                                will.asWill()
                                        .extendAsWill()
                                        .delayInterval(from.will().delay())
                                        .build())
                        .userProperties(HiveMqMessage.theirs(properties.userProperties()))
                        .build();
    }

    @Test
    void writesSubscriptionsThatWeRead() throws MqttException {
        EmbeddedChannel client = encoder();
        PacketDecoder decoder = Connections.v5();
        for (int round = 0; round < ROUNDS; round++) {
            Subscribe expected =
                    new Subscribe(
                            1 + random.nextInt(65_535),
                            1 + random.nextInt(268_435_455),
                            List.of(request(text()), request("+/" + text()), request("$share/g/#")),
                            pairs());
            var builder =
                    Mqtt5Subscribe.builder()
                            .addSubscriptions(
                                    expected.requests().stream()
                                            .map(HiveMqOracleTest::theirs)
                                            .toList())
                            .userProperties(HiveMqMessage.theirs(expected.userProperties()));
            MqttMessage subscribe =
                    ((MqttSubscribe) builder.build())
                            .createStateful(expected.packetId(), expected.subscriptionId());
            assertThat(sent(client, decoder, subscribe)).isEqualTo(expected);

            List<String> filters =
                    expected.requests().stream().map(SubscribeRequest::filter).toList();
            var leaving =
                    Mqtt5Unsubscribe.builder()
                            .addTopicFilters(filters.stream().map(MqttTopicFilter::of).toList());
            MqttMessage unsubscribe =
                    ((MqttUnsubscribe)
                                    leaving.userProperties(
                                                    HiveMqMessage.theirs(expected.userProperties()))
                                            .build())
                            .createStateful(expected.packetId());
            assertThat(sent(client, decoder, unsubscribe))
                    .isEqualTo(
                            new Unsubscribe(
                                    expected.packetId(), filters, expected.userProperties()));
        }
    }

    private SubscribeRequest request(String filter) {
        boolean noLocal = !filter.startsWith("$share") && random.nextBoolean();
        return new SubscribeRequest(
                filter, random.nextInt(3), noLocal, random.nextBoolean(), random.nextInt(3));
    }

    private static Mqtt5Subscription theirs(SubscribeRequest request) {
        return Mqtt5Subscription.builder()
                .topicFilter(request.filter())
                .qos(MqttQos.fromCode(request.qos()))
                .noLocal(request.noLocal())
                .retainAsPublished(request.retainAsPublished())
                .retainHandling(Mqtt5RetainHandling.fromCode(request.retainHandling()))
                .build();
    }

    private static MqttDecoderContext context() throws ReflectiveOperationException {
        Constructor<?> constructor = MqttDecoderContext.class.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return (MqttDecoderContext)
                constructor.newInstance(268_435_460, 10, true, true, false, false, false, false);
    }

    /** Reads a packet with the client's decoder, which takes it without the fixed header. */
    private static MqttMessage received(
            MqttMessageDecoder decoder, MqttDecoderContext context, ByteBuf packet)
            throws Exception {
        int flags = packet.readByte() & 0xF;
        long length = VariableByteInteger.read(packet, packet.readerIndex(), packet.writerIndex());
        packet.skipBytes(VariableByteInteger.sizeOf(length));
        assertThat(packet.readableBytes()).isEqualTo(VariableByteInteger.valueOf(length));
        MqttMessage message = decoder.decode(flags, packet, context);
        assertThat(packet.isReadable()).isFalse();
        return message;
    }

    @Test
    void readsOurDeliveries() throws Exception {
        MqttDecoderContext context = context();
        MqttMessageDecoder decoder = Mqtt5PublishDecoder_Factory.newInstance();
        PacketEncoder encoder = new PacketEncoder(ProtocolVersion.MQTT_5, Long.MAX_VALUE, 10, true);
        for (int round = 0; round < ROUNDS; round++) {
            HiveMqMessage message = message();
            int packetId = message.qos() == 0 ? 0 : 1 + random.nextInt(65_535);
            int[] ids = random.ints(random.nextInt(4), 1, 268_435_456).toArray();
            Publish publish = message.ours(packetId, false);
            ByteBuf out = Unpooled.buffer();
            encoder.publish(
                    out,
                    publish,
                    packetId,
                    message.qos(),
                    false,
                    message.retain(),
                    message.expiry(),
                    ids);
            MqttStatefulPublish read = (MqttStatefulPublish) received(decoder, context, out);

            assertThat(read.stateless())
                    .usingRecursiveComparison()
                    .comparingOnlyFields(
                            "qos", "retain", "messageExpiryInterval", "payloadFormatIndicator")
                    .isEqualTo(message.theirs());
            MqttPublish content = read.stateless();
            assertThat(content.getTopic()).hasToString(message.topic());
            assertThat(content.getPayloadAsBytes()).isEqualTo(message.payload());
            assertThat(content.getRawContentType()).hasToString(message.contentType());
            assertThat(content.getRawResponseTopic()).hasToString(message.responseTopic());
            assertThat(content.getRawCorrelationData())
                    .isEqualTo(ByteBuffer.wrap(message.correlation()));
            assertThat(ours(content)).isEqualTo(message.pairs());
            List<Integer> readIds = new ArrayList<>();
            for (int at = 0; at < read.getSubscriptionIdentifiers().size(); at++) {
                readIds.add(read.getSubscriptionIdentifiers().get(at));
            }
            assertThat(readIds.stream().mapToInt(Integer::intValue).toArray()).isEqualTo(ids);
        }
    }

    @Test
    void readsOurAnswers() throws Exception {
        PacketEncoder encoder = new PacketEncoder(ProtocolVersion.MQTT_5, Long.MAX_VALUE, 0, true);
        ServerPackets packets = new ServerPackets(random);
        for (int round = 0; round < ROUNDS; round++) {
            Packet packet = round % 6 == 0 ? packets.connack() : packets.next();
            MqttMessageDecoder decoder =
                    switch (packet) {
                        case Connack _ -> Mqtt5ConnAckDecoder_Factory.newInstance();
                        case Puback _ -> Mqtt5PubAckDecoder_Factory.newInstance();
                        case Pubrec _ -> Mqtt5PubRecDecoder_Factory.newInstance();
                        case Pubrel _ -> Mqtt5PubRelDecoder_Factory.newInstance();
                        case Pubcomp _ -> Mqtt5PubCompDecoder_Factory.newInstance();
                        case Suback _ -> Mqtt5SubAckDecoder_Factory.newInstance();
                        case Unsuback _ -> Mqtt5UnsubAckDecoder_Factory.newInstance();
                        case Disconnect _ -> Mqtt5DisconnectDecoder_Factory.newInstance();
                        default ->
                                null; // AUTH, which the client may read only where it is asked for
                    };
            if (decoder != null) {
                ByteBuf out = Unpooled.buffer();
                assertThat(encoder.encode(packet, out)).isTrue();
                assertSame(packet, received(decoder, context(), out));
            }
        }
    }

    private static void assertSame(Packet packet, MqttMessage read) {
        Details details =
                switch (packet) {
                    case Acknowledgement acknowledgement -> acknowledgement.details();
                    case Connack connack -> connack.properties().details();
                    case Suback suback -> suback.details();
                    case Unsuback unsuback -> unsuback.details();
                    case Disconnect disconnect -> disconnect.details();
                    default -> throw new AssertionError(packet);
                };
        var message = (MqttMessageWithUserProperties.WithReason) read;
        assertThat(ours(message)).isEqualTo(details.userProperties());
        assertThat(message.getReasonString().map(Object::toString).orElse(null))
                .isEqualTo(details.reasonString());
        assertThat(codes(read)).isEqualTo(codes(packet));
        if (packet instanceof Connack connack) {
            Mqtt5ConnAck theirs = (Mqtt5ConnAck) read;
            assertThat(theirs.isSessionPresent()).isEqualTo(connack.sessionPresent());
            assertThat(theirs.getSessionExpiryInterval().isPresent())
                    .isEqualTo(connack.properties().sessionExpiry() != null);
            assertThat(theirs.getAssignedClientIdentifier().map(Object::toString).orElse(null))
                    .isEqualTo(connack.properties().assignedClientId());
        }
    }

    private static List<Integer> codes(Packet packet) {
        return switch (packet) {
            case Acknowledgement acknowledgement -> List.of(acknowledgement.reasonCode().code());
            case Connack connack -> List.of(connack.reasonCode().code());
            case Disconnect disconnect -> List.of(disconnect.reasonCode().code());
            case Suback suback -> suback.reasonCodes().stream().map(ReasonCode::code).toList();
            case Unsuback unsuback ->
                    unsuback.reasonCodes().stream().map(ReasonCode::code).toList();
            default -> throw new AssertionError(packet);
        };
    }

    private static List<Integer> codes(MqttMessage message) {
        return switch (message) {
            case Mqtt5SubAck suback ->
                    suback.getReasonCodes().stream().map(Mqtt5ReasonCode::getCode).toList();
            case Mqtt5UnsubAck unsuback ->
                    unsuback.getReasonCodes().stream().map(Mqtt5ReasonCode::getCode).toList();
            case MqttMessageWithUserProperties.WithReason.WithCode<?> one ->
                    List.of(one.getReasonCode().getCode());
            default -> throw new AssertionError(message);
        };
    }
}
