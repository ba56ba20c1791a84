package io.rotamq.core.session;

import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** The groups that a session is in, and what they have to hear. Owned by the session's shard. */
final class Memberships {
    private final Collection<Subscription> subscriptions;
    private final SessionPort port;

    Memberships(Collection<Subscription> subscriptions, SessionPort port) {
        this.subscriptions = subscriptions;
        this.port = port;
    }

    /** The connection came or went. */
    void refresh() {
        forEach(member -> member.group().refresh(member));
    }

    /** Tells the groups which hold messages that somebody came or went. */
    void ask() {
        forEach(
                member -> {
                    if (member.group().pending() > 0) {
                        port.wantsWork(member.group());
                    }
                });
    }

    /** Tells the groups which hold messages that this member can take some. */
    void wantWork() {
        forEach(
                member -> {
                    if (member.group().pending() > 0) {
                        port.wantsWork(member);
                    }
                });
    }

    /** The groups of which a successor must not get anything before it has what this one had. */
    List<Group> successions() {
        List<Group> groups = new ArrayList<>(0);
        forEach(
                member -> {
                    if (member.group().hasSuccession()) {
                        groups.add(member.group());
                    }
                });
        return groups;
    }

    private void forEach(Consumer<Member> sink) {
        for (Subscription subscription : subscriptions) {
            Member member = subscription.member();
            if (member != null) {
                sink.accept(member);
            }
        }
    }
}
