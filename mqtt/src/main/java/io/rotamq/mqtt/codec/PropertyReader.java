package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.UserProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks over the properties of a packet: finds each identifier, refuses those that do not belong
 * there and those that repeat, and keeps what comes in packets of every kind.
 *
 * <p>Between two calls of {@link #next} the caller reads the value from the frame.
 */
final class PropertyReader {
    private final Frame frame;
    private final long allowed;
    private final int outer;
    private long seen;
    private int id;
    private List<UserProperty> userProperties = List.of();

    /** Reads the length of the properties; those allowed are a {@link Property#set}. */
    PropertyReader(Frame frame, long allowed) throws MqttException {
        this.frame = frame;
        this.allowed = allowed;
        this.outer = frame.narrow(frame.variableByteInteger());
    }

    /**
     * Steps to the next property that is not a user property; false at the end, where the frame
     * goes on behind the properties.
     */
    boolean next() throws MqttException {
        while (frame.hasMore()) {
            id = frame.unsignedByte();
            if (id == Property.USER_PROPERTY) {
                addUserProperty();
                continue;
            }
            seen = checked(id, allowed, seen);
            return true;
        }
        frame.widen(outer);
        return false;
    }

    /** The identifier of the property whose value comes now. */
    int id() {
        return id;
    }

    /** User properties in their order, once {@link #next} has returned false. */
    List<UserProperty> userProperties() {
        return userProperties;
    }

    private void addUserProperty() throws MqttException {
        if (userProperties.isEmpty()) {
            userProperties = new ArrayList<>();
        }
        userProperties.add(frame.userProperty());
    }

    /** What has been seen including this one, which must be allowed and new. */
    static long checked(int id, long allowed, long seen) throws MqttException {
        // An identifier of 64 or more has no bit: the shift would wrap around.
        long bit = id < Long.SIZE ? 1L << id : 0;
        if ((bit & allowed) == 0) {
            throw MqttException.malformed("property is not defined for the packet");
        }
        if ((bit & seen) != 0) {
            throw MqttException.protocolError("property repeats");
        }
        return seen | bit;
    }
}
