package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Publish;
import java.util.Arrays;

/**
 * Checks the properties of a PUBLISH or a Will in one pass and keeps those to be forwarded as the
 * bytes they are: one copy, unless properties that end here (expiry, alias, delay) stand among
 * them.
 *
 * <p>Reused for every PUBLISH of a connection, on its event loop, so that it costs no allocation.
 * After reading it holds what it found, until {@link #clear}.
 */
final class MessageProperties {
    private static final long FORWARDED =
            Property.set(
                    Property.PAYLOAD_FORMAT,
                    Property.CONTENT_TYPE,
                    Property.RESPONSE_TOPIC,
                    Property.CORRELATION_DATA,
                    Property.USER_PROPERTY);
    private static final long IN_PUBLISH =
            FORWARDED | Property.set(Property.MESSAGE_EXPIRY, Property.TOPIC_ALIAS);
    private static final long IN_WILL =
            FORWARDED | Property.set(Property.MESSAGE_EXPIRY, Property.WILL_DELAY);
    private static final int NO_ALIAS = -1;

    private final Frame frame = new Frame(Publish.NO_PROPERTIES, 0, 0);
    private byte[] forwarded = Publish.NO_PROPERTIES;
    private long messageExpiry = -1;
    private long willDelay;
    private int alias = NO_ALIAS;

    /** Reads the properties of a PUBLISH and returns the index behind them. */
    int readPublish(ByteBuf in, int index, int end) throws MqttException {
        long length = VariableByteInteger.read(in, index, end);
        if (length == VariableByteInteger.INCOMPLETE) {
            throw MqttException.malformed("property length is cut short");
        }
        int from = index + VariableByteInteger.sizeOf(length);
        int count = VariableByteInteger.valueOf(length);
        if (count > end - from) {
            throw MqttException.malformed("properties are longer than the packet");
        }
        if (count > 0) {
            byte[] copy = new byte[count];
            in.getBytes(from, copy);
            check(copy, IN_PUBLISH);
        }
        return from + count;
    }

    /** Reads the properties of a Will. */
    void readWill(Frame connect) throws MqttException {
        byte[] copy = connect.bytes(connect.variableByteInteger());
        if (copy.length > 0) {
            check(copy, IN_WILL);
        }
    }

    /** Walks over all properties, moving those to be kept together. */
    private void check(byte[] properties, long allowed) throws MqttException {
        frame.reset(properties);
        long seen = 0;
        int dropped = 0;
        while (frame.hasMore()) {
            int from = frame.position();
            int id = frame.unsignedByte();
            if (id != Property.USER_PROPERTY) {
                seen = seen(id, allowed, seen);
            }
            if (readValue(id)) {
                move(properties, from, dropped);
            } else {
                dropped += frame.position() - from;
            }
        }
        forwarded = kept(properties, properties.length - dropped);
    }

    private static long seen(int id, long allowed, long seen) throws MqttException {
        if (id == Property.SUBSCRIPTION_ID && allowed == IN_PUBLISH) {
            throw MqttException.protocolError("client sent a subscription identifier in PUBLISH");
        }
        return PropertyReader.checked(id, allowed, seen);
    }

    /** Reads or checks the value; true if the property is to be forwarded. */
    private boolean readValue(int id) throws MqttException {
        switch (id) {
            case Property.PAYLOAD_FORMAT -> frame.bool();
            case Property.CONTENT_TYPE -> frame.skipString();
            case Property.RESPONSE_TOPIC -> frame.skipResponseTopic();
            case Property.CORRELATION_DATA -> frame.skip(frame.unsignedShort());
            case Property.USER_PROPERTY -> {
                frame.skipString();
                frame.skipString();
            }
            case Property.MESSAGE_EXPIRY -> {
                messageExpiry = frame.unsignedInt();
                return false;
            }
            case Property.WILL_DELAY -> {
                willDelay = frame.unsignedInt();
                return false;
            }
            default -> {
                alias = frame.unsignedShort();
                return false;
            }
        }
        return true;
    }

    private void move(byte[] properties, int from, int gap) {
        if (gap > 0) {
            System.arraycopy(properties, from, properties, from - gap, frame.position() - from);
        }
    }

    private static byte[] kept(byte[] properties, int length) {
        if (length == properties.length) {
            return properties;
        }
        return length == 0 ? Publish.NO_PROPERTIES : Arrays.copyOf(properties, length);
    }

    byte[] forwarded() {
        return forwarded;
    }

    /** Seconds, -1 if absent. */
    long messageExpiry() {
        return messageExpiry;
    }

    /** Seconds, 0 if absent. */
    long willDelay() {
        return willDelay;
    }

    boolean hasAlias() {
        return alias != NO_ALIAS;
    }

    int alias() {
        return alias;
    }

    /** Forgets what was found, and holds no message's bytes any longer. */
    void clear() {
        frame.reset(Publish.NO_PROPERTIES);
        forwarded = Publish.NO_PROPERTIES;
        messageExpiry = -1;
        willDelay = 0;
        alias = NO_ALIAS;
    }
}
