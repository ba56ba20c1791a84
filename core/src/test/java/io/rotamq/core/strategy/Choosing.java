package io.rotamq.core.strategy;

import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Members and a strategy that is asked directly, without a group around them. */
final class Choosing {
    static final int PLENTY = 10_000_000;

    final Strategy strategy;
    final Claim claim = new Claim(Messages.of(1, 0), 7);
    private final boolean keeps;
    private final Map<String, FakeRecipient> recipients = new LinkedHashMap<>();
    private final Map<String, Candidate> members = new LinkedHashMap<>();
    private final Map<String, Publisher> publishers = new LinkedHashMap<>();
    private volatile Roster roster = Roster.EMPTY;
    private long places;
    private long arrival;

    Choosing(StrategyName strategy) {
        this(Choice.of(strategy), OfflineMembers.SKIP);
    }

    Choosing(Choice choice, OfflineMembers offline) {
        strategy = Strategy.of(choice);
        keeps = offline == OfflineMembers.KEEP;
    }

    Roster roster() {
        return roster;
    }

    /** Members with room for everything. */
    Choosing join(String... names) {
        for (String name : names) {
            join(name, 1);
        }
        return this;
    }

    Candidate join(String name, int qos) {
        FakeRecipient recipient = new FakeRecipient(name, PLENTY);
        Candidate member = new FakeMember(recipient, Grant.of(qos, false, false, 0, 1), keeps);
        recipients.put(name, recipient);
        members.put(name, member);
        member.place(++places);
        replace(roster.with(member));
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
        replace(roster.without(member(name)));
        members.remove(name);
    }

    void disconnect(String name) {
        recipient(name).disconnect();
        refresh(member(name));
    }

    void reconnect(String name) {
        recipient(name).reconnect(PLENTY);
        refresh(member(name));
    }

    void refresh(Candidate member) {
        replace(roster.refreshed(member));
    }

    void refresh() {
        replace(roster.refreshed());
    }

    void renew(Candidate member, Grant grant, KeyFilter keys) {
        member.grant(grant);
        member.keys(keys);
        replace(roster.renewed());
    }

    /** As a group does it. */
    private void replace(Roster next) {
        strategy.rosterChanges(roster, next);
        roster = next;
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

    Candidate member(String name) {
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
        Candidate chosen = strategy.choose(roster, message, claim.reset(message));
        return name(chosen);
    }

    private static String name(@Nullable Candidate member) {
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

    private static final class FakeMember extends Candidate {
        private final boolean keeps;

        FakeMember(Recipient recipient, Grant grant, boolean keeps) {
            super(recipient, grant);
            this.keeps = keeps;
        }

        @Override
        public boolean keepsTurn() {
            return keeps && recipient().isPersistent();
        }

        @Override
        public boolean isAwaitedBefore(Claim.Queued line) {
            return false;
        }
    }
}
