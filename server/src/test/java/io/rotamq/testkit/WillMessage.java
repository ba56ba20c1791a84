package io.rotamq.testkit;

import java.nio.charset.StandardCharsets;

/** The Will of a {@link ConnectPacket}. */
public final class WillMessage {
    private final String topic;
    private final byte[] payload;
    private final Props props = new Props();
    private int qos;
    private boolean retained;

    private WillMessage(String topic, byte[] payload) {
        this.topic = topic;
        this.payload = payload;
    }

    public static WillMessage of(String topic, String payload) {
        return new WillMessage(topic, payload.getBytes(StandardCharsets.UTF_8));
    }

    public WillMessage qos(int value) {
        qos = value;
        return this;
    }

    public WillMessage retain() {
        retained = true;
        return this;
    }

    /** Will Delay Interval in seconds. */
    public WillMessage delay(long seconds) {
        return with(Property.WILL_DELAY, seconds);
    }

    public WillMessage with(Property property, Object value) {
        props.with(property, value);
        return this;
    }

    public WillMessage user(String name, String value) {
        props.user(name, value);
        return this;
    }

    int qos() {
        return qos;
    }

    boolean isRetained() {
        return retained;
    }

    void encode(int level, Bytes to) {
        if (level == 5) {
            to.raw(props.encode());
        }
        to.text(topic).binary(payload);
    }
}
