package io.rotamq.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Authorizer.Decision;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.core.port.Identity;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SecuritySettings.AclRule;
import io.rotamq.server.config.SecuritySettings.Action;
import io.rotamq.server.config.SecuritySettings.Permission;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessRulesTest {
    private static final ConnectionInfo FROM = new ConnectionInfo("mqtt", "127.0.0.1:1", null);
    private static final Identity ALICE = new Identity("phone", "alice", FROM);

    @Test
    void allowsEverythingWithoutRules() {
        assertThat(AccessRules.of(List.of())).isSameAs(Authorizer.ALLOW_ALL);
    }

    @Test
    void deniesWhatNoRuleAllows() {
        Authorizer rules = AccessRules.of(List.of(allow(Action.PUBLISH, "a/#")));

        assertThat(publishes(rules, ALICE, "a/b")).isTrue();
        assertThat(publishes(rules, ALICE, "b")).isFalse();
        assertThat(subscribes(rules, ALICE, "a/b")).isFalse();
        assertThat(rules.publish(ALICE, TopicName.of("b")))
                .isEqualTo(new Decision.Denied("no rule allows it"));
    }

    @Test
    void letsTheFirstRuleThatAppliesDecide() {
        Authorizer rules =
                AccessRules.of(
                        List.of(
                                allow(Action.ALL, "secret/public"),
                                deny(Action.ALL, "secret/#"),
                                allow(Action.ALL, "#")));

        assertThat(publishes(rules, ALICE, "secret/public")).isTrue();
        assertThat(publishes(rules, ALICE, "secret/x")).isFalse();
        assertThat(publishes(rules, ALICE, "other")).isTrue();
    }

    @Test
    void isNotEvadedByAskingForMoreThanADeniedFilterNames() {
        Authorizer rules =
                AccessRules.of(List.of(deny(Action.SUBSCRIBE, "secret/#"), allow(Action.ALL, "#")));

        assertThat(subscribes(rules, ALICE, "#")).isFalse();
        assertThat(subscribes(rules, ALICE, "+/x")).isFalse();
        assertThat(subscribes(rules, ALICE, "public/#")).isTrue();
    }

    @Test
    void doesNotAllowMoreThanAnAllowedFilterNames() {
        Authorizer rules = AccessRules.of(List.of(allow(Action.SUBSCRIBE, "a/+")));

        assertThat(subscribes(rules, ALICE, "a/+")).isTrue();
        assertThat(subscribes(rules, ALICE, "a/b")).isTrue();
        assertThat(subscribes(rules, ALICE, "a/#")).isFalse();
        assertThat(subscribes(rules, ALICE, "#")).isFalse();
    }

    @Test
    void fillsInUserAndClient() {
        Authorizer rules = AccessRules.of(List.of(allow(Action.ALL, "home/%u/%c/#")));

        assertThat(publishes(rules, ALICE, "home/alice/phone/x")).isTrue();
        assertThat(publishes(rules, ALICE, "home/bob/phone/x")).isFalse();
        assertThat(subscribes(rules, ALICE, "home/alice/phone/#")).isTrue();
    }

    @Test
    void doesNotLetANameReachTheTopicsOfOthers() {
        Authorizer rules = AccessRules.of(List.of(allow(Action.ALL, "home/%u/#")));

        for (String name : List.of("+", "#", "alice/x", "")) {
            Identity mallory = new Identity("phone", name, FROM);
            assertThat(publishes(rules, mallory, "home/alice/x")).as(name).isFalse();
            assertThat(subscribes(rules, mallory, "home/+/x")).as(name).isFalse();
            assertThat(subscribes(rules, mallory, "home/alice/x")).as(name).isFalse();
        }
        Identity tricky = new Identity("+", "%c", FROM);
        assertThat(publishes(rules, tricky, "home/%c/x")).isTrue();
        assertThat(publishes(rules, tricky, "home/+/x".replace('+', 'a'))).isFalse();
    }

    @Test
    void deniesAllToANameThatCannotBeFilledInWhereItIsDenied() {
        Authorizer rules =
                AccessRules.of(List.of(deny(Action.ALL, "home/%c/#"), allow(Action.ALL, "#")));

        assertThat(publishes(rules, new Identity("+", null, FROM), "home/x")).isFalse();
        assertThat(publishes(rules, new Identity("x", null, FROM), "home/y")).isTrue();
        assertThat(publishes(rules, new Identity("x", null, FROM), "home/x/z")).isFalse();
    }

    @Test
    void selectsByUserAndClient() {
        Authorizer rules =
                AccessRules.of(
                        List.of(
                                rule("admin*", "*", Action.ALL, "#", Permission.ALLOW),
                                rule("*", "sensor-*", Action.PUBLISH, "data/#", Permission.ALLOW)));

        assertThat(publishes(rules, client("x", "admin1"), "any")).isTrue();
        assertThat(publishes(rules, client("x", "user"), "any")).isFalse();
        assertThat(publishes(rules, client("sensor-1", null), "data/1")).isTrue();
        assertThat(publishes(rules, client("x", null), "data/1")).isFalse();
    }

    @Test
    void keepsClientsApartHoweverManyThereAre() {
        Authorizer rules = AccessRules.of(List.of(allow(Action.ALL, "own/%c")));

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10_000; i++) {
                Identity client = client("c" + i, null);
                assertThat(publishes(rules, client, "own/c" + i)).isTrue();
                assertThat(publishes(rules, client, "own/c" + (i + 1))).isFalse();
            }
        }
    }

    private static Identity client(String id, @Nullable String user) {
        return new Identity(id, user, FROM);
    }

    private static AclRule allow(Action action, String topic) {
        return rule("*", "*", action, topic, Permission.ALLOW);
    }

    private static AclRule deny(Action action, String topic) {
        return rule("*", "*", action, topic, Permission.DENY);
    }

    private static AclRule rule(
            String user, String client, Action action, String topic, Permission permission) {
        return new AclRule(new Glob(user), new Glob(client), action, topic, permission);
    }

    private static boolean publishes(Authorizer rules, Identity client, String topic) {
        return rules.publish(client, TopicName.of(topic)).equals(Decision.ALLOWED);
    }

    private static boolean subscribes(Authorizer rules, Identity client, String filter) {
        return rules.subscribe(client, TopicFilter.parse(filter)).equals(Decision.ALLOWED);
    }
}
