package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttTopicSubscription;
import io.netty.handler.codec.mqtt.MqttUnsubAckMessage;
import io.netty.handler.codec.mqtt.MqttUnsubscribeMessage;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Pingreq;
import io.rotamq.mqtt.Pingresp;
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
import java.util.List;

/**
 * What Netty's codec read, as our packets. It groups user properties, so properties to be forwarded
 * are laid in the order of {@link Canonical}.
 */
final class NettyPackets {
    private NettyPackets() {}

    static Packet toPacket(MqttMessage message) {
        return switch (message.fixedHeader().messageType()) {
            case CONNECT -> connect((MqttConnectMessage) message);
            case CONNACK -> connack((MqttConnAckMessage) message);
            case PUBLISH -> publish((MqttPublishMessage) message);
            case PUBACK -> new Puback(id(message), code(message), details(message));
            case PUBREC -> new Pubrec(id(message), code(message), details(message));
            case PUBREL -> new Pubrel(id(message), code(message), details(message));
            case PUBCOMP -> new Pubcomp(id(message), code(message), details(message));
            case SUBSCRIBE -> subscribe((MqttSubscribeMessage) message);
            case SUBACK -> suback((MqttSubAckMessage) message);
            case UNSUBSCRIBE -> unsubscribe((MqttUnsubscribeMessage) message);
            case UNSUBACK -> unsuback((MqttUnsubAckMessage) message);
            case PINGREQ -> Pingreq.INSTANCE;
            case PINGRESP -> Pingresp.INSTANCE;
            case DISCONNECT -> disconnect(message);
            case AUTH -> auth(message);
        };
    }

    private static Connect connect(MqttConnectMessage message) {
        var header = message.variableHeader();
        var payload = message.payload();
        boolean v5 = header.version() == 5;
        long v3Expiry = header.isCleanSession() ? 0 : ConnectProperties.NEVER;
        Will will = null;
        if (header.isWillFlag()) {
            MqttProperties properties = payload.willProperties();
            will =
                    new Will(
                            TopicName.of(payload.willTopic()),
                            payload.willMessageInBytes(),
                            header.willQos(),
                            header.isWillRetain(),
                            number(properties, Property.WILL_DELAY, 0),
                            number(properties, Property.MESSAGE_EXPIRY, -1),
                            forwarded(properties));
        }
        return new Connect(
                v5 ? ProtocolVersion.MQTT_5 : ProtocolVersion.MQTT_3_1_1,
                payload.clientIdentifier(),
                header.isCleanSession(),
                header.keepAliveTimeSeconds(),
                v5 ? connectProperties(header.properties()) : ConnectProperties.defaults(v3Expiry),
                will,
                payload.userName(),
                payload.passwordInBytes());
    }

    private static ConnectProperties connectProperties(MqttProperties properties) {
        return new ConnectProperties(
                number(properties, Property.SESSION_EXPIRY, 0),
                (int) number(properties, Property.RECEIVE_MAXIMUM, 65_535),
                number(properties, Property.MAXIMUM_PACKET_SIZE, Long.MAX_VALUE),
                (int) number(properties, Property.TOPIC_ALIAS_MAXIMUM, 0),
                number(properties, Property.REQUEST_RESPONSE_INFORMATION, 0) == 1,
                number(properties, Property.REQUEST_PROBLEM_INFORMATION, 1) == 1,
                text(properties, Property.AUTHENTICATION_METHOD),
                bytes(properties, Property.AUTHENTICATION_DATA),
                userProperties(properties));
    }

    private static Connack connack(MqttConnAckMessage message) {
        MqttProperties from = message.variableHeader().properties();
        ConnackProperties properties =
                new ConnackProperties(
                        boxed(from, Property.SESSION_EXPIRY),
                        boxedInt(from, Property.RECEIVE_MAXIMUM),
                        boxedInt(from, Property.MAXIMUM_QOS),
                        bool(from, Property.RETAIN_AVAILABLE),
                        boxed(from, Property.MAXIMUM_PACKET_SIZE),
                        text(from, Property.ASSIGNED_CLIENT_ID),
                        boxedInt(from, Property.TOPIC_ALIAS_MAXIMUM),
                        bool(from, Property.WILDCARD_AVAILABLE),
                        bool(from, Property.SUBSCRIPTION_IDS_AVAILABLE),
                        bool(from, Property.SHARED_AVAILABLE),
                        boxedInt(from, Property.SERVER_KEEP_ALIVE),
                        text(from, Property.RESPONSE_INFORMATION),
                        text(from, Property.SERVER_REFERENCE),
                        text(from, Property.AUTHENTICATION_METHOD),
                        bytes(from, Property.AUTHENTICATION_DATA),
                        details(from));
        return new Connack(
                message.variableHeader().isSessionPresent(),
                ReasonCode.of(message.variableHeader().connectReturnCode().byteValue() & 0xFF),
                properties);
    }

    private static Publish publish(MqttPublishMessage message) {
        var header = message.variableHeader();
        int qos = message.fixedHeader().qosLevel().value();
        return new Publish(
                TopicName.of(header.topicName()),
                ByteBufUtil.getBytes(message.payload()),
                qos,
                message.fixedHeader().isRetain(),
                message.fixedHeader().isDup(),
                qos == 0 ? 0 : header.packetId(),
                number(header.properties(), Property.MESSAGE_EXPIRY, -1),
                forwarded(header.properties()));
    }

    /** The subscription identifiers of a PUBLISH. */
    static List<Integer> subscriptionIds(MqttMessage message) {
        return ((MqttPublishMessage) message)
                .variableHeader().properties().getProperties(Property.SUBSCRIPTION_ID).stream()
                        .map(property -> (Integer) property.value())
                        .toList();
    }

    private static Subscribe subscribe(MqttSubscribeMessage message) {
        MqttProperties properties = idAndProperties(message);
        return new Subscribe(
                id(message),
                (int) number(properties, Property.SUBSCRIPTION_ID, 0),
                message.payload().topicSubscriptions().stream().map(NettyPackets::request).toList(),
                userProperties(properties));
    }

    private static SubscribeRequest request(MqttTopicSubscription from) {
        return new SubscribeRequest(
                from.topicFilter(),
                from.option().qos().value(),
                from.option().isNoLocal(),
                from.option().isRetainAsPublished(),
                from.option().retainHandling().value());
    }

    private static Suback suback(MqttSubAckMessage message) {
        List<ReasonCode> codes =
                message.payload().reasonCodes().stream()
                        .map(code -> ReasonCode.of(code & 0xFF))
                        .toList();
        return new Suback(id(message), codes, details(idAndProperties(message)));
    }

    private static Unsubscribe unsubscribe(MqttUnsubscribeMessage message) {
        return new Unsubscribe(
                id(message), message.payload().topics(), userProperties(idAndProperties(message)));
    }

    private static Unsuback unsuback(MqttUnsubAckMessage message) {
        List<ReasonCode> codes =
                message.payload().unsubscribeReasonCodes().stream()
                        .map(code -> ReasonCode.of(code & 0xFF))
                        .toList();
        return new Unsuback(id(message), codes, details(idAndProperties(message)));
    }

    private static Disconnect disconnect(MqttMessage message) {
        MqttProperties properties = codeProperties(message);
        return new Disconnect(
                code(message),
                number(properties, Property.SESSION_EXPIRY, -1),
                details(properties),
                text(properties, Property.SERVER_REFERENCE));
    }

    private static Auth auth(MqttMessage message) {
        MqttProperties properties = codeProperties(message);
        return new Auth(
                code(message),
                text(properties, Property.AUTHENTICATION_METHOD),
                bytes(properties, Property.AUTHENTICATION_DATA),
                details(properties));
    }

    private static int id(MqttMessage message) {
        return ((MqttMessageIdVariableHeader) message.variableHeader()).messageId();
    }

    private static ReasonCode code(MqttMessage message) {
        return switch (message.variableHeader()) {
            case MqttPubReplyMessageVariableHeader header ->
                    ReasonCode.of(header.reasonCode() & 0xFF);
            case MqttReasonCodeAndPropertiesVariableHeader header ->
                    ReasonCode.of(header.reasonCode() & 0xFF);
            case null, default -> ReasonCode.SUCCESS;
        };
    }

    private static Details details(MqttMessage message) {
        return message.variableHeader() instanceof MqttPubReplyMessageVariableHeader header
                ? details(header.properties())
                : Details.NONE;
    }

    private static MqttProperties idAndProperties(MqttMessage message) {
        return message.variableHeader() instanceof MqttMessageIdAndPropertiesVariableHeader header
                ? header.properties()
                : MqttProperties.NO_PROPERTIES;
    }

    private static MqttProperties codeProperties(MqttMessage message) {
        return message.variableHeader() instanceof MqttReasonCodeAndPropertiesVariableHeader header
                ? header.properties()
                : MqttProperties.NO_PROPERTIES;
    }

    private static Details details(MqttProperties properties) {
        return DetailsDecoder.of(
                text(properties, Property.REASON_STRING), userProperties(properties));
    }

    private static Object value(MqttProperties properties, int id) {
        var property = properties.getProperty(id);
        return property == null ? null : property.value();
    }

    private static long number(MqttProperties properties, int id, long absent) {
        Object value = value(properties, id);
        return value == null ? absent : ((Integer) value) & 0xFFFF_FFFFL;
    }

    private static Long boxed(MqttProperties properties, int id) {
        Object value = value(properties, id);
        return value == null ? null : ((Integer) value) & 0xFFFF_FFFFL;
    }

    private static Integer boxedInt(MqttProperties properties, int id) {
        return (Integer) value(properties, id);
    }

    private static Boolean bool(MqttProperties properties, int id) {
        Object value = value(properties, id);
        return value == null ? null : Integer.valueOf(1).equals(value);
    }

    private static String text(MqttProperties properties, int id) {
        return (String) value(properties, id);
    }

    private static byte[] bytes(MqttProperties properties, int id) {
        return (byte[]) value(properties, id);
    }

    private static List<UserProperty> userProperties(MqttProperties properties) {
        var property =
                (MqttProperties.UserProperties) properties.getProperty(Property.USER_PROPERTY);
        return property == null
                ? List.of()
                : property.value().stream()
                        .map(pair -> new UserProperty(pair.key, pair.value))
                        .toList();
    }

    private static byte[] forwarded(MqttProperties properties) {
        Wire bytes = Wire.part();
        Object format = value(properties, Property.PAYLOAD_FORMAT);
        if (format != null) {
            bytes.u8(Property.PAYLOAD_FORMAT).u8((Integer) format);
        }
        for (int id : new int[] {Property.CONTENT_TYPE, Property.RESPONSE_TOPIC}) {
            String text = text(properties, id);
            if (text != null) {
                bytes.u8(id).string(text);
            }
        }
        byte[] correlation = bytes(properties, Property.CORRELATION_DATA);
        if (correlation != null) {
            bytes.u8(Property.CORRELATION_DATA).binary(correlation);
        }
        for (UserProperty pair : userProperties(properties)) {
            bytes.u8(Property.USER_PROPERTY).string(pair.name()).string(pair.value());
        }
        ByteBuf all = bytes.buffer();
        return ByteBufUtil.getBytes(all);
    }
}
