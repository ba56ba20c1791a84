package io.rotamq.core.strategy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rotamq.core.port.RoutingKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the routing keys of messages by one rule. Immutable, for all shards. */
final class RoutingKeys {
    private static final int PAYLOAD_FORMAT = 0x01;
    private static final int USER_PROPERTY = 0x26;
    private static final int LENGTH = 2;

    private final RoutingKey rule;

    /** Of the user property, if that is the rule. */
    private final byte[] name;

    RoutingKeys(RoutingKey rule) {
        this.rule = rule;
        this.name =
                rule instanceof RoutingKey.UserProperty property
                        ? property.name().getBytes(UTF_8)
                        : new byte[0];
    }

    /** The key of a message; its publisher's client identifier if it has none by the rule. */
    @SuppressWarnings("ReferenceEquality") // another rule that says the same finds the same again
    Key of(Message message) {
        Key known = message.key();
        if (known != null && known.rule() == rule) {
            return known;
        }
        Key key = find(message);
        message.key(key);
        return key;
    }

    private Key find(Message message) {
        String text =
                switch (rule) {
                    case RoutingKey.ClientId() -> null;
                    case RoutingKey.Topic() -> message.topic().toString();
                    case RoutingKey.TopicLevel(int level) ->
                            level(message.topic().toString(), level);
                    case RoutingKey.UserProperty(var ignored) ->
                            userProperty(message.publish().properties());
                };
        Publisher publisher = message.publisher();
        return text == null
                ? Key.of(rule, publisher.clientId(), publisher.hash())
                : Key.of(rule, text, Rendezvous.hash(text));
    }

    private static @Nullable String level(String topic, int level) {
        int from = 0;
        for (int i = 1; i < level; i++) {
            from = topic.indexOf('/', from) + 1;
            if (from == 0) {
                return null;
            }
        }
        int to = topic.indexOf('/', from);
        return topic.substring(from, to < 0 ? topic.length() : to);
    }

    /** The value of the first user property of that name; the encoding was checked before. */
    private @Nullable String userProperty(byte[] properties) {
        int at = 0;
        while (at < properties.length) {
            int id = properties[at++];
            if (id == PAYLOAD_FORMAT) {
                at++;
                continue;
            }
            int behind = behind(properties, at);
            if (id == USER_PROPERTY) {
                int end = behind(properties, behind);
                if (Arrays.equals(properties, at + LENGTH, behind, name, 0, name.length)) {
                    return new String(properties, behind + LENGTH, end - behind - LENGTH, UTF_8);
                }
                behind = end;
            }
            at = behind;
        }
        return null;
    }

    /** Behind a string or binary data: two bytes of length, and so many. */
    private static int behind(byte[] properties, int at) {
        return at
                + LENGTH
                + (Byte.toUnsignedInt(properties[at]) << Byte.SIZE
                        | Byte.toUnsignedInt(properties[at + 1]));
    }
}
