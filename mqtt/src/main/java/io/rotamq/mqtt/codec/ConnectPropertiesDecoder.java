package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.MqttException;
import org.jspecify.annotations.Nullable;

/** The properties of CONNECT. One for each packet: it collects what it finds. */
final class ConnectPropertiesDecoder {
    private static final long ALLOWED =
            Property.set(
                    Property.SESSION_EXPIRY,
                    Property.AUTHENTICATION_METHOD,
                    Property.AUTHENTICATION_DATA,
                    Property.REQUEST_PROBLEM_INFORMATION,
                    Property.REQUEST_RESPONSE_INFORMATION,
                    Property.RECEIVE_MAXIMUM,
                    Property.TOPIC_ALIAS_MAXIMUM,
                    Property.MAXIMUM_PACKET_SIZE);

    private final Frame frame;
    private long sessionExpiry;
    private int receiveMaximum = 65_535;
    private long maximumPacketSize = Long.MAX_VALUE;
    private int topicAliasMaximum;
    private boolean requestResponseInformation;
    private boolean requestProblemInformation = true;
    private @Nullable String authenticationMethod;
    private byte @Nullable [] authenticationData;

    private ConnectPropertiesDecoder(Frame frame) {
        this.frame = frame;
    }

    static ConnectProperties decode(Frame frame) throws MqttException {
        return new ConnectPropertiesDecoder(frame).decode();
    }

    private ConnectProperties decode() throws MqttException {
        PropertyReader properties = new PropertyReader(frame, ALLOWED);
        while (properties.next()) {
            readValue(properties.id());
        }
        if (authenticationData != null && authenticationMethod == null) {
            throw MqttException.protocolError("authentication data without a method");
        }
        return new ConnectProperties(
                sessionExpiry,
                receiveMaximum,
                maximumPacketSize,
                topicAliasMaximum,
                requestResponseInformation,
                requestProblemInformation,
                authenticationMethod,
                authenticationData,
                properties.userProperties());
    }

    private void readValue(int id) throws MqttException {
        switch (id) {
            case Property.SESSION_EXPIRY -> sessionExpiry = frame.unsignedInt();
            case Property.AUTHENTICATION_METHOD -> authenticationMethod = frame.string();
            case Property.AUTHENTICATION_DATA -> authenticationData = frame.binary();
            case Property.REQUEST_PROBLEM_INFORMATION -> requestProblemInformation = frame.bool();
            case Property.REQUEST_RESPONSE_INFORMATION -> requestResponseInformation = frame.bool();
            case Property.RECEIVE_MAXIMUM -> receiveMaximum = (int) notZero(frame.unsignedShort());
            case Property.TOPIC_ALIAS_MAXIMUM -> topicAliasMaximum = frame.unsignedShort();
            default -> maximumPacketSize = notZero(frame.unsignedInt());
        }
    }

    private static long notZero(long value) throws MqttException {
        if (value == 0) {
            throw MqttException.protocolError("Receive Maximum or Maximum Packet Size is 0");
        }
        return value;
    }
}
