package io.rotamq.core.strategy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.RoutingKey;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class RoutingKeysTest {
    private final ByteArrayOutputStream properties = new ByteArrayOutputStream();

    @Test
    void findsClientIdAndTopic() {
        assertThat(key(RoutingKey.BY_CLIENT_ID, "a/b")).isEqualTo("publisher");
        assertThat(key(RoutingKey.BY_TOPIC, "a/b")).isEqualTo("a/b");
    }

    @Test
    void countsTopicLevelsFromOne() {
        assertThat(level(1, "a/bc/d")).isEqualTo("a");
        assertThat(level(2, "a/bc/d")).isEqualTo("bc");
        assertThat(level(3, "a/bc/d")).isEqualTo("d");
        assertThat(level(1, "alone")).isEqualTo("alone");
    }

    @Test
    void takesAnEmptyLevelForAKey() {
        assertThat(level(1, "/b")).isEmpty();
        assertThat(level(2, "a//c")).isEmpty();
        assertThat(level(2, "a/")).isEmpty();
    }

    @Test
    void takesTheClientIdWhereTheTopicEndsBefore() {
        assertThat(level(4, "a/bc/d")).isEqualTo("publisher");
        assertThat(level(2, "alone")).isEqualTo("publisher");
    }

    @Test
    void findsTheFirstUserPropertyOfTheNameAmongAllOthers() {
        properties.write(0x01);
        properties.write(1);
        string(0x03, "text/plain");
        string(0x08, "reply/to");
        string(0x09, "&&correlation");
        user("other", "key");
        user("key", "first ü");
        user("key", "second");
        assertThat(userProperty("key")).isEqualTo("first ü");
        assertThat(userProperty("other")).isEqualTo("key");
        assertThat(userProperty("ke")).isEqualTo("publisher");
    }

    @Test
    void standsForAKeyThatIsTooLongWithoutKeepingIt() {
        user("key", "x".repeat(60_000));
        String key = userProperty("key");
        assertThat(key).hasSizeLessThan(20);
        properties.reset();
        user("key", "x".repeat(60_000));
        assertThat(userProperty("key")).as("the same key again").isEqualTo(key);
        properties.reset();
        user("key", "x".repeat(59_999) + "y");
        assertThat(userProperty("key")).as("another key").isNotEqualTo(key);
    }

    @Test
    void findsLongAndEmptyValues() {
        user("long", "x".repeat(Key.LONGEST));
        user("empty", "");
        user("schlüssel", "ja");
        assertThat(userProperty("long")).hasSize(Key.LONGEST);
        assertThat(userProperty("empty")).isEmpty();
        assertThat(userProperty("schlüssel")).isEqualTo("ja");
    }

    @Test
    void takesTheClientIdWithoutProperties() {
        assertThat(userProperty("key")).isEqualTo("publisher");
    }

    @Test
    void findsAKeyOnceForEachRule() {
        Message message = message("a/b");
        RoutingKeys byTopic = new RoutingKeys(RoutingKey.BY_TOPIC);
        RoutingKeys byLevel = new RoutingKeys(new RoutingKey.TopicLevel(2));
        Key key = byTopic.of(message);
        assertThat(byTopic.of(message)).isSameAs(key);
        assertThat(byLevel.of(message).text()).isEqualTo("b");
        assertThat(byTopic.of(message)).isEqualTo(key);
    }

    private String level(int level, String topic) {
        return key(new RoutingKey.TopicLevel(level), topic);
    }

    private String userProperty(String name) {
        return key(new RoutingKey.UserProperty(name), "t");
    }

    private String key(RoutingKey rule, String topic) {
        return new RoutingKeys(rule).of(message(topic)).text();
    }

    private Message message(String topic) {
        Publish publish =
                new Publish(
                        TopicName.of(topic),
                        new byte[1],
                        1,
                        false,
                        false,
                        1,
                        -1,
                        properties.toByteArray());
        return new Message(publish, new Publisher("publisher"), 1, 0);
    }

    private void user(String name, String value) {
        string(0x26, name);
        write(value);
    }

    private void string(int id, String value) {
        properties.write(id);
        write(value);
    }

    private void write(String value) {
        byte[] utf8 = value.getBytes(UTF_8);
        properties.write(utf8.length >> 8);
        properties.write(utf8.length);
        properties.writeBytes(utf8);
    }
}
