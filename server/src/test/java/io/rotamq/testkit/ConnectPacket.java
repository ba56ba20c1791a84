package io.rotamq.testkit;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Builds a CONNECT. Clean start (clean session) is on unless {@link #resume()} was called, and the
 * keep alive is 0, so that nothing ends a connection but the test.
 */
public final class ConnectPacket implements Outgoing {
    private final int level;
    private final String clientId;
    private final Props props = new Props();
    private boolean clean = true;
    private int keepAlive;
    private @Nullable WillMessage will;
    private @Nullable String user;
    private byte @Nullable [] password;

    private ConnectPacket(int level, String clientId) {
        this.level = level;
        this.clientId = clientId;
    }

    public static ConnectPacket v5(String clientId) {
        return new ConnectPacket(5, clientId);
    }

    public static ConnectPacket v4(String clientId) {
        return new ConnectPacket(4, clientId);
    }

    /** MQTT 3.1. */
    public static ConnectPacket v3(String clientId) {
        return new ConnectPacket(3, clientId);
    }

    public static ConnectPacket of(int level, String clientId) {
        return new ConnectPacket(level, clientId);
    }

    /** Clean start 0 (clean session 0). */
    public ConnectPacket resume() {
        clean = false;
        return this;
    }

    /** Clean start 0 and this session expiry (v5); clean session 0 in older versions. */
    public ConnectPacket lasting(long seconds) {
        return level == 5 ? resume().with(Property.SESSION_EXPIRY, seconds) : resume();
    }

    public ConnectPacket keepAlive(int seconds) {
        keepAlive = seconds;
        return this;
    }

    public ConnectPacket with(Property property, Object value) {
        props.with(property, value);
        return this;
    }

    public ConnectPacket user(String name, String value) {
        props.user(name, value);
        return this;
    }

    /** Bytes behind the other properties: for malformed input. */
    public ConnectPacket rawProperties(String hex) {
        props.raw(hex);
        return this;
    }

    public ConnectPacket will(WillMessage message) {
        will = message;
        return this;
    }

    public ConnectPacket credentials(@Nullable String name, @Nullable String secret) {
        user = name;
        password = secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    public ConnectPacket password(byte[] secret) {
        password = secret;
        return this;
    }

    public String clientId() {
        return clientId;
    }

    public int level() {
        return level;
    }

    Props properties() {
        return props;
    }

    /** The connect flags that fit the fields. */
    public int flags() {
        int flags = clean ? 0x02 : 0;
        if (will != null) {
            flags |= 0x04 | will.qos() << 3 | (will.isRetained() ? 0x20 : 0);
        }
        if (password != null) {
            flags |= 0x40;
        }
        if (user != null) {
            flags |= 0x80;
        }
        return flags;
    }

    public byte[] encode() {
        return encode(level);
    }

    @Override
    public byte[] encode(int ignored) {
        Bytes body = header(level == 3 ? "MQIsdp" : "MQTT", level, flags(), keepAlive);
        if (level == 5) {
            body.raw(props.encode());
        }
        body.text(clientId);
        if (will != null) {
            will.encode(level, body);
        }
        if (user != null) {
            body.text(user);
        }
        if (password != null) {
            body.binary(password);
        }
        return body.packet(0x10);
    }

    /** The variable header before the properties, for CONNECTs that are put together by hand. */
    public static Bytes header(String protocol, int level, int flags, int keepAlive) {
        return new Bytes().text(protocol).u8(level).u8(flags).u16(keepAlive);
    }
}
