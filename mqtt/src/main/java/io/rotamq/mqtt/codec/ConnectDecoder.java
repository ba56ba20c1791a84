package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.UnsupportedVersionException;
import io.rotamq.mqtt.Will;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** CONNECT in all three versions. */
final class ConnectDecoder {
    private static final byte[] NAME = "MQTT".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NAME_OF_3_1 = "MQIsdp".getBytes(StandardCharsets.US_ASCII);

    private static final int RESERVED = 0x01;
    private static final int CLEAN_START = 0x02;
    private static final int WILL = 0x04;
    private static final int WILL_QOS = 0x18;
    private static final int WILL_RETAIN = 0x20;
    private static final int PASSWORD = 0x40;
    private static final int USER_NAME = 0x80;

    private ConnectDecoder() {}

    /** Reads protocol name and level, which come first so that everything behind may differ. */
    static ProtocolVersion version(Frame frame) throws MqttException {
        byte[] name = frame.binary();
        boolean old = Arrays.equals(name, NAME_OF_3_1);
        if (!old && !Arrays.equals(name, NAME)) {
            throw UnsupportedVersionException.ofName();
        }
        int level = frame.unsignedByte();
        for (ProtocolVersion version : ProtocolVersion.values()) {
            if (version.level() == level && (version == ProtocolVersion.MQTT_3_1) == old) {
                return version;
            }
        }
        throw UnsupportedVersionException.ofLevel(level);
    }

    /** Reads all that follows the protocol level [MQTT-3.1.3-1]. */
    static Connect decode(ProtocolVersion version, Frame frame) throws MqttException {
        int flags = frame.unsignedByte();
        checkFlags(version, flags);
        boolean cleanStart = (flags & CLEAN_START) != 0;
        int keepAlive = frame.unsignedShort();
        ConnectProperties properties =
                version.isV5()
                        ? ConnectPropertiesDecoder.decode(frame)
                        : ConnectProperties.defaults(cleanStart ? 0 : ConnectProperties.NEVER);
        String clientId = frame.string();
        Will will = (flags & WILL) == 0 ? null : will(version, flags, frame);
        String username = (flags & USER_NAME) == 0 ? null : frame.string();
        byte[] password = password(flags, frame);
        frame.end();
        return new Connect(
                version, clientId, cleanStart, keepAlive, properties, will, username, password);
    }

    private static void checkFlags(ProtocolVersion version, int flags) throws MqttException {
        if ((flags & RESERVED) != 0) {
            throw MqttException.malformed("reserved connect flag"); // [MQTT-3.1.2-3]
        }
        if ((flags & WILL) == 0 && (flags & (WILL_QOS | WILL_RETAIN)) != 0) {
            throw MqttException.malformed("will options without a will"); // [MQTT-3.1.2-11] [-13]
        }
        if ((flags & WILL_QOS) == WILL_QOS) {
            throw MqttException.malformed("will QoS is 3"); // [MQTT-3.1.2-12]
        }
        if (!version.isV5() && (flags & (USER_NAME | PASSWORD)) == PASSWORD) {
            throw MqttException.malformed("password without user name"); // [MQTT-3.1.2-22] of 3.1.1
        }
    }

    private static Will will(ProtocolVersion version, int flags, Frame frame) throws MqttException {
        MessageProperties properties = new MessageProperties();
        if (version.isV5()) {
            properties.readWill(frame);
        }
        return new Will(
                frame.topicName(),
                frame.binary(),
                (flags & WILL_QOS) >> 3,
                (flags & WILL_RETAIN) != 0,
                properties.willDelay(),
                properties.messageExpiry(),
                properties.forwarded());
    }

    private static byte @Nullable [] password(int flags, Frame frame) throws MqttException {
        return (flags & PASSWORD) == 0 ? null : frame.binary();
    }
}
