package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.UserProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Packets that a server may send, made up by chance from a seed. */
final class ServerPackets {
    private static final List<ReasonCode> CONNACK_ERRORS =
            List.of(
                    ReasonCode.UNSPECIFIED_ERROR,
                    ReasonCode.BAD_USER_NAME_OR_PASSWORD,
                    ReasonCode.NOT_AUTHORIZED,
                    ReasonCode.QUOTA_EXCEEDED,
                    ReasonCode.USE_ANOTHER_SERVER);
    private static final List<ReasonCode> OF_PUBLISH =
            List.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.NO_MATCHING_SUBSCRIBERS,
                    ReasonCode.NOT_AUTHORIZED,
                    ReasonCode.QUOTA_EXCEEDED);
    private static final List<ReasonCode> OF_RELEASE =
            List.of(ReasonCode.SUCCESS, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
    private static final List<ReasonCode> OF_SUBSCRIBE =
            List.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.GRANTED_QOS_1,
                    ReasonCode.GRANTED_QOS_2,
                    ReasonCode.NOT_AUTHORIZED,
                    ReasonCode.TOPIC_FILTER_INVALID);
    private static final List<ReasonCode> OF_UNSUBSCRIBE =
            List.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.NO_SUBSCRIPTION_EXISTED,
                    ReasonCode.NOT_AUTHORIZED);
    private static final List<ReasonCode> OF_DISCONNECT =
            List.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.SESSION_TAKEN_OVER,
                    ReasonCode.SERVER_SHUTTING_DOWN,
                    ReasonCode.PROTOCOL_ERROR);

    private final SplittableRandom random;

    ServerPackets(SplittableRandom random) {
        this.random = random;
    }

    /** Any packet but PUBLISH and CONNACK. */
    Packet next() {
        int id = 1 + random.nextInt(65_535);
        return switch (random.nextInt(8)) {
            case 0 -> new Puback(id, any(OF_PUBLISH), details());
            case 1 -> new Pubrec(id, any(OF_PUBLISH), details());
            case 2 -> new Pubrel(id, any(OF_RELEASE), details());
            case 3 -> new Pubcomp(id, any(OF_RELEASE), details());
            case 4 -> new Suback(id, some(OF_SUBSCRIBE), details());
            case 5 -> new Unsuback(id, some(OF_UNSUBSCRIBE), details());
            case 6 -> new Disconnect(any(OF_DISCONNECT), -1, details(), maybe("other:1883"));
            default -> new Auth(ReasonCode.CONTINUE_AUTHENTICATION, "method", data(), details());
        };
    }

    Connack connack() {
        boolean success = random.nextBoolean();
        ConnackProperties.Builder properties = ConnackProperties.builder().details(details());
        if (random.nextBoolean()) {
            properties
                    .sessionExpiry(random.nextLong(1L << 32))
                    .serverKeepAlive(random.nextInt(65_536));
        }
        if (random.nextBoolean()) {
            properties
                    .receiveMaximum(1 + random.nextInt(65_535))
                    .maximumPacketSize(1 + random.nextInt(1 << 28))
                    .topicAliasMaximum(random.nextInt(65_536));
        }
        if (random.nextBoolean()) {
            properties
                    .maximumQos(random.nextInt(2))
                    .retainAvailable(random.nextBoolean())
                    .wildcardSubscriptionAvailable(random.nextBoolean())
                    .subscriptionIdsAvailable(random.nextBoolean())
                    .sharedSubscriptionAvailable(random.nextBoolean());
        }
        if (random.nextBoolean()) {
            properties.assignedClientId("id-\u00e9").authentication("method", data());
        }
        if (random.nextBoolean()) {
            properties.serverReference("other").responseInformation("info");
        }
        return new Connack(
                success && random.nextBoolean(),
                success ? ReasonCode.SUCCESS : any(CONNACK_ERRORS),
                properties.build());
    }

    private Details details() {
        if (random.nextBoolean()) {
            return Details.NONE;
        }
        List<UserProperty> pairs = new ArrayList<>();
        for (int count = random.nextInt(3); count > 0; count--) {
            pairs.add(
                    new UserProperty("n" + random.nextInt(3), "\u4e2d".repeat(random.nextInt(90))));
        }
        String reason = maybe("because");
        return reason == null && pairs.isEmpty() ? Details.NONE : new Details(reason, pairs);
    }

    private String maybe(String text) {
        return random.nextBoolean() ? text : null;
    }

    private byte[] data() {
        byte[] data = new byte[random.nextInt(20)];
        random.nextBytes(data);
        return data;
    }

    private ReasonCode any(List<ReasonCode> codes) {
        return codes.get(random.nextInt(codes.size()));
    }

    private List<ReasonCode> some(List<ReasonCode> codes) {
        List<ReasonCode> some = new ArrayList<>();
        for (int count = 1 + random.nextInt(5); count > 0; count--) {
            some.add(any(codes));
        }
        return some;
    }
}
