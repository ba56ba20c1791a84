package io.rotamq.server.config;

import io.rotamq.core.port.RoutingKey;
import io.rotamq.server.config.Kind.BadValue;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The routing key of {@code key_shared} as an operator writes it. */
record RoutingKeyText() implements Kind<RoutingKey> {
    private static final String TOPIC = "topic";
    private static final String CLIENT_ID = "client-id";
    private static final String LEVEL = "topic-level:";
    private static final String PROPERTY = "user-property:";

    /** A topic has at most 65,535 bytes, and so at most that many separators. */
    private static final int MAXIMUM_LEVEL = 65_536;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    @Override
    public RoutingKey parse(String text, Path base) throws BadValue {
        if (text.equals(TOPIC)) {
            return RoutingKey.BY_TOPIC;
        }
        if (text.equals(CLIENT_ID)) {
            return RoutingKey.BY_CLIENT_ID;
        }
        if (text.startsWith(LEVEL)) {
            return new RoutingKey.TopicLevel(level(text, text.substring(LEVEL.length())));
        }
        if (text.startsWith(PROPERTY) && text.length() > PROPERTY.length()) {
            return new RoutingKey.UserProperty(text.substring(PROPERTY.length()));
        }
        throw new BadValue(Kinds.quoted(text) + " is not a routing key");
    }

    private static int level(String text, String number) throws BadValue {
        int level = NUMBER.matcher(number).matches() ? Integer.parseInt(number) : 0;
        if (level < 1 || level > MAXIMUM_LEVEL) {
            throw new BadValue(Kinds.quoted(text) + " names no level of a topic");
        }
        return level;
    }

    @Override
    public String allowed() {
        return "topic, topic-level:N with N from 1, client-id, user-property:NAME";
    }

    @Override
    public String show(RoutingKey value) {
        return switch (value) {
            case RoutingKey.Topic() -> TOPIC;
            case RoutingKey.ClientId() -> CLIENT_ID;
            case RoutingKey.TopicLevel(int level) -> LEVEL + level;
            case RoutingKey.UserProperty(String name) -> PROPERTY + name;
        };
    }
}
