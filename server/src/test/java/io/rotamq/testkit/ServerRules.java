package io.rotamq.testkit;

import static io.rotamq.testkit.Property.ASSIGNED_CLIENT_ID;
import static io.rotamq.testkit.Property.AUTH_DATA;
import static io.rotamq.testkit.Property.AUTH_METHOD;
import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.Property.MAXIMUM_QOS;
import static io.rotamq.testkit.Property.PAYLOAD_FORMAT;
import static io.rotamq.testkit.Property.REASON_STRING;
import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
import static io.rotamq.testkit.Property.RESPONSE_INFO;
import static io.rotamq.testkit.Property.RETAIN_AVAILABLE;
import static io.rotamq.testkit.Property.SERVER_REFERENCE;
import static io.rotamq.testkit.Property.SESSION_EXPIRY;
import static io.rotamq.testkit.Property.SHARED_AVAILABLE;
import static io.rotamq.testkit.Property.SUBSCRIPTION_ID;
import static io.rotamq.testkit.Property.TOPIC_ALIAS;
import static io.rotamq.testkit.Property.TOPIC_ALIAS_MAXIMUM;
import static io.rotamq.testkit.Property.USER_PROPERTY;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What holds for every packet that a server sends, whatever the test: header flags, reason codes
 * and properties of the packet type.
 */
final class ServerRules {
    private static final Set<Integer> ACK_CODES =
            Set.of(0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99);
    private static final Set<Integer> RELEASE_CODES = Set.of(0x00, 0x92);

    /** MQTT 5: the reason codes of each packet. */
    private static final Map<Type, Set<Integer>> CODES = new EnumMap<>(Type.class);

    /** MQTT 5: the properties of each packet, when a server sends it. */
    private static final Map<Type, Set<Property>> PROPERTIES = new EnumMap<>(Type.class);

    static {
        CODES.put(
                Type.CONNACK,
                Set.of(
                        0x00, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A,
                        0x8C, 0x90, 0x95, 0x97, 0x99, 0x9A, 0x9B, 0x9C, 0x9D, 0x9F));
        CODES.put(Type.PUBACK, ACK_CODES);
        CODES.put(Type.PUBREC, ACK_CODES);
        CODES.put(Type.PUBREL, RELEASE_CODES);
        CODES.put(Type.PUBCOMP, RELEASE_CODES);
        CODES.put(
                Type.SUBACK,
                Set.of(0x00, 0x01, 0x02, 0x80, 0x83, 0x87, 0x8F, 0x91, 0x97, 0x9E, 0xA1, 0xA2));
        CODES.put(Type.UNSUBACK, Set.of(0x00, 0x11, 0x80, 0x83, 0x87, 0x8F, 0x91));
        CODES.put(
                Type.DISCONNECT,
                Set.of(
                        0x00, 0x80, 0x81, 0x82, 0x83, 0x87, 0x89, 0x8B, 0x8D, 0x8E, 0x8F, 0x90,
                        0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0x9B, 0x9C, 0x9D, 0x9E,
                        0x9F, 0xA0, 0xA1, 0xA2));
        CODES.put(Type.AUTH, Set.of(0x00, 0x18));

        EnumSet<Property> connack = EnumSet.of(REASON_STRING, USER_PROPERTY, SESSION_EXPIRY);
        connack.addAll(EnumSet.range(ASSIGNED_CLIENT_ID, AUTH_DATA));
        connack.addAll(Set.of(RESPONSE_INFO, SERVER_REFERENCE, RECEIVE_MAXIMUM));
        connack.addAll(Set.of(TOPIC_ALIAS_MAXIMUM, MAXIMUM_QOS, RETAIN_AVAILABLE));
        connack.addAll(EnumSet.range(MAXIMUM_PACKET_SIZE, SHARED_AVAILABLE));
        PROPERTIES.put(Type.CONNACK, connack);
        EnumSet<Property> publish = EnumSet.range(PAYLOAD_FORMAT, SUBSCRIPTION_ID);
        publish.addAll(Set.of(TOPIC_ALIAS, USER_PROPERTY));
        PROPERTIES.put(Type.PUBLISH, publish);
        PROPERTIES.put(Type.DISCONNECT, EnumSet.of(REASON_STRING, USER_PROPERTY, SERVER_REFERENCE));
        PROPERTIES.put(Type.AUTH, EnumSet.of(AUTH_METHOD, AUTH_DATA, REASON_STRING, USER_PROPERTY));
    }

    private ServerRules() {}

    static void require(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError("the broker broke a rule: " + rule);
        }
    }

    static void check(Received packet, int level) {
        checkFirstByte(packet);
        if (level < 5) {
            checkOld(packet);
            return;
        }
        Set<Integer> codes = CODES.getOrDefault(packet.type(), Set.of());
        require(codes.containsAll(packet.codes()), "reason code of " + packet);
        Set<Property> allowed =
                PROPERTIES.getOrDefault(packet.type(), EnumSet.of(REASON_STRING, USER_PROPERTY));
        Set<Property> seen = new HashSet<>();
        for (Props.Entry entry : packet.properties().entries()) {
            Property property = entry.property();
            require(allowed.contains(property), "property of " + packet);
            boolean repeatable = property == USER_PROPERTY || property == SUBSCRIPTION_ID;
            require(seen.add(property) || repeatable, property + " repeated in " + packet);
        }
        require(packet.properties().number(TOPIC_ALIAS, 1) != 0, "[MQTT-3.3.2-8] alias 0");
    }

    private static void checkFirstByte(Received packet) {
        int flags = packet.firstByte() & 0x0F;
        if (packet.type() == Type.PUBLISH) {
            require(packet.qos() < 3, "[MQTT-3.3.1-4] QoS 3");
            require(packet.qos() > 0 || !packet.dup(), "[MQTT-3.3.1-2] DUP with QoS 0");
            require(packet.qos() == 0 || packet.packetId() != 0, "[MQTT-2.2.1-4] identifier 0");
        } else {
            require(flags == (packet.type() == Type.PUBREL ? 2 : 0), "flags of " + packet);
        }
        require(
                packet.type() != Type.CONNACK || packet.code() == 0 || !packet.sessionPresent(),
                "[MQTT-3.2.2-6] Session Present in a refusal");
    }

    private static void checkOld(Received packet) {
        Set<Type> never = Set.of(Type.DISCONNECT, Type.AUTH);
        require(!never.contains(packet.type()), "[X3-3.14-a] no " + packet + " before MQTT 5");
        if (packet.type() == Type.SUBACK) {
            require(
                    List.of(0, 1, 2, 0x80).containsAll(packet.codes()),
                    "[MQTT-3.9.3-2] code of " + packet);
        }
        if (packet.type() == Type.CONNACK) {
            require(packet.code() <= 5, "[MQTT-3.2.2-6] code of " + packet);
        }
    }
}
