package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.strategy.Attachment;
import io.rotamq.core.strategy.Candidate;
import io.rotamq.core.strategy.Recipient;
import io.rotamq.core.strategy.Roster;
import io.rotamq.core.strategy.Strategy;
import io.rotamq.core.strategy.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group as operators see it. Taken from any thread without a lock and without the help of a
 * shard: each figure is one that was true about now, and two of them may be a moment apart.
 *
 * @param owner index of the shard that owns the backlog
 * @param cursor the turn that is next, for a strategy that has one for the whole group; else -1
 * @param next the client that is next, or active; null if that depends on the message
 * @param members in the order in which they joined
 * @param drops messages that the group lost since it exists, for those reasons that occurred
 */
public record GroupSnapshot(
        String shareName,
        String filter,
        GroupSettings settings,
        int owner,
        long cursor,
        @Nullable String next,
        Waiting waiting,
        List<MemberSnapshot> members,
        Map<DropReason, Long> drops) {

    /**
     * What waits because no member can take it.
     *
     * @param messages under way to the backlog, in it, or being placed
     * @param bytes of those
     * @param lines in which they wait: one, or one for each key, topic or publisher
     * @param longestLine messages in the longest line since nothing waited
     * @param keysInFlight routing keys of which a delivery is not finished, so that later messages
     *     of them wait
     * @param behind whether publishers are being slowed
     * @param dropping whether the oldest are dropped because slowing did not help in time
     */
    public record Waiting(
            int messages,
            long bytes,
            int lines,
            int longestLine,
            int keysInFlight,
            boolean behind,
            boolean dropping) {}

    /**
     * One member.
     *
     * @param shard index of the shard that owns the session
     * @param qos the highest at which it is sent messages
     * @param keyFilters globs of the keys that it takes; empty: every key
     * @param connection null while the client is away
     */
    public record MemberSnapshot(
            String clientId,
            int shard,
            int qos,
            boolean keepsTurn,
            List<String> keyFilters,
            @Nullable ConnectionSnapshot connection,
            Tally.Counts counts) {}

    /**
     * The present connection of a member.
     *
     * @param window deliveries of QoS 1 and 2 that the client allows at a time
     * @param used how many of them are taken, by this group or by other subscriptions
     * @param socketFull whether the client does not read fast enough
     */
    public record ConnectionSnapshot(
            String remoteAddress, int window, int used, boolean socketFull) {}

    /** Members that are connected. */
    public int connected() {
        int connected = 0;
        for (MemberSnapshot member : members) {
            connected += member.connection() == null ? 0 : 1;
        }
        return connected;
    }

    /** The counts of all members together. */
    public Tally.Counts counts() {
        Tally.Counts sum = Tally.Counts.NONE;
        for (MemberSnapshot member : members) {
            sum = sum.plus(member.counts());
        }
        return sum;
    }

    static GroupSnapshot of(Group group, Losses losses) {
        Roster roster = group.roster();
        List<MemberSnapshot> members = new ArrayList<>(roster.size());
        for (int i = 0; i < roster.size(); i++) {
            members.add(member(Member.of(roster.member(i))));
        }
        Strategy strategy = group.strategy();
        Candidate next = strategy.next(roster);
        return new GroupSnapshot(
                group.shareName(),
                group.filter().toString(),
                group.settings(),
                group.owner(),
                strategy.cursor(),
                next == null ? null : next.recipient().clientId(),
                waiting(group),
                members,
                losses.byReason());
    }

    private static Waiting waiting(Group group) {
        return new Waiting(
                group.pending(),
                group.pendingBytes(),
                group.backlog.lines(),
                group.backlog.longestLine(),
                group.backlog.held(),
                group.isBehind(),
                group.brake().isSpent());
    }

    private static MemberSnapshot member(Member member) {
        Recipient recipient = member.recipient();
        Attachment attachment = recipient.attachment();
        Window window = recipient.window();
        return new MemberSnapshot(
                recipient.clientId(),
                recipient.shard(),
                member.grant().qos(),
                member.keepsTurn(),
                member.keys().globs(),
                attachment == null
                        ? null
                        : new ConnectionSnapshot(
                                attachment.remoteAddress(),
                                attachment.window(),
                                Math.max(0, attachment.window() - window.free()),
                                window.peek() == Window.BLOCKED),
                member.tally().counts());
    }
}
