package io.rotamq.core.share;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A group whose strategy is asked directly, without anything that delivers. */
final class Choosing {
    static final int PLENTY = 10_000_000;

    final Group group;
    final Strategy strategy;
    final Claim claim = new Claim(Messages.of(1, 0), 7);
    private final Map<String, FakeRecipient> recipients = new LinkedHashMap<>();
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, Publisher> publishers = new LinkedHashMap<>();
    private long arrival;

    Choosing(StrategyName strategy) {
        this(Choice.of(strategy), OfflineMembers.SKIP);
    }

    Choosing(Choice choice, OfflineMembers offline) {
        GroupSettings settings =
                new GroupSettings("test", choice, offline, BacklogLimits.DEFAULTS, 100_000);
        group = new Group("g", Objects.requireNonNull(TopicFilter.parse("#")), 0, settings);
        strategy = group.strategy();
    }

    /** Members with room for everything. */
    Choosing join(String... names) {
        for (String name : names) {
            join(name, 1);
        }
        return this;
    }

    Member join(String name, int qos) {
        FakeRecipient recipient = new FakeRecipient(name, PLENTY);
        Member member = new Member(group, recipient, Grant.of(qos, false, false, 0, 1));
        recipients.put(name, recipient);
        members.put(name, member);
        group.join(member);
        return member;
    }

    /** So many members, named {@code m0} and on. */
    Choosing crowd(int size) {
        for (int i = 0; i < size; i++) {
            join("m" + i);
        }
        return this;
    }

    void leave(String name) {
        group.leave(member(name));
        members.remove(name);
    }

    void disconnect(String name) {
        recipient(name).disconnect();
        group.refresh(member(name));
    }

    void reconnect(String name) {
        recipient(name).reconnect(PLENTY);
        group.refresh(member(name));
    }

    void fill(String name) {
        recipient(name).window.open(0);
    }

    void relieve(String name) {
        recipient(name).window.open(PLENTY);
    }

    FakeRecipient recipient(String name) {
        return Objects.requireNonNull(recipients.get(name));
    }

    Member member(String name) {
        return Objects.requireNonNull(members.get(name));
    }

    Iterable<String> names() {
        return members.keySet();
    }

    Publisher publisher(String clientId) {
        return publishers.computeIfAbsent(clientId, Publisher::new);
    }

    /** The member that gets the publisher's next message; {@code -} for nobody. */
    String next(String publisher) {
        return next(publisher, "t");
    }

    String next(String publisher, String topic) {
        return next(message(1, publisher, topic, Publish.NO_PROPERTIES));
    }

    /** The members that get the publisher's next messages. */
    String next(String publisher, int times) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < times; i++) {
            names.append(next(publisher));
        }
        return names.toString();
    }

    String next(Message message) {
        Member chosen = strategy.choose(group.roster(), message, claim.reset(message));
        return name(chosen);
    }

    private static String name(@Nullable Member member) {
        return member == null ? "-" : member.recipient().clientId();
    }

    Message message(int qos, String publisher, String topic, byte[] properties) {
        Publish publish =
                new Publish(
                        TopicName.of(topic),
                        new byte[1],
                        qos,
                        false,
                        false,
                        qos == 0 ? 0 : 1,
                        -1,
                        properties);
        return new Message(publish, publisher(publisher), arrival++, 0);
    }
}
