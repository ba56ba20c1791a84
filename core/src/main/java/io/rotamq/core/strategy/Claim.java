package io.rotamq.core.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to place a message: a strategy asks members in its order, the claim takes the credit
 * of the first that can take the message and notes who was passed over. Each shard reuses one, so
 * that an attempt allocates nothing; {@link #verdict()} makes the lasting record of it.
 */
public final class Claim {
    /** Epoch of a message that waits in the session of a member that keeps its turn. */
    public static final long KEPT = -4;

    /** What a message waits in until it is placed. */
    public interface Queued {
        /** Whether it stands in exactly this queue. */
        boolean waitsIn(NavigableSet<?> queue);
    }

    private final Owners owners = new Owners();
    private final Chance chance;
    private Message message;
    private @Nullable Candidate chosen;
    private @Nullable Grant grant;
    private @Nullable Candidate awaited;
    private long epoch;
    private Candidate[] passed = new Candidate[8];
    private PassOver[] reasons = new PassOver[8];
    private int count;
    private boolean keyFiltered;

    /** The line of a backlog that the message is from; null for one just published. */
    private @Nullable Queued line;

    /**
     * @param seed of the chance that strategies draw from
     */
    public Claim(Message first, long seed) {
        message = first;
        chance = new Chance(seed);
    }

    /** For a message that was published just now. */
    public Claim reset(Message next) {
        return reset(next, null);
    }

    /**
     * Begins an attempt.
     *
     * @param from the line that the message waits in; null if it was published just now
     */
    public Claim reset(Message next, @Nullable Queued from) {
        message = next;
        line = from;
        chosen = null;
        grant = null;
        awaited = null;
        epoch = 0;
        count = 0;
        keyFiltered = false;
        return this;
    }

    /** Whether the member takes the message; if so its credit is claimed. */
    public boolean asks(Candidate member) {
        Recipient recipient = member.recipient();
        // Read once: the client may replace it meanwhile, and the credit has to match the QoS.
        Grant offered = member.grant();
        if (!recipient.fits(message, offered)) {
            return passOver(member, PassOver.TOO_LARGE);
        }
        if (line != null && isAwaited(member, line)) {
            return passOver(member, PassOver.WINDOW_FULL);
        }
        boolean counted = offered.qosOf(message) > 0;
        long answer = counted ? member.window().claim() : member.window().peek();
        if (answer == Window.OFFLINE && counted && member.keepsTurn()) {
            answer = KEPT;
        } else if (answer < 0) {
            return passOver(member, PassOver.of(answer));
        }
        chosen = member;
        grant = offered;
        epoch = answer;
        return true;
    }

    /** A credit that came back just now belongs to what waits for it, not to what comes by. */
    private static boolean isAwaited(Candidate member, Queued line) {
        return member.isAwaitedBefore(line) && member.recipient().window().peek() != Window.OFFLINE;
    }

    /** What the owner of an affinity says. */
    public enum Answer {
        TAKES,
        /** It is there but full: affinity and order win, the message waits for it. */
        IS_FULL,
        /** It cannot be waited for; the next one may be asked. */
        CANNOT
    }

    /** Like {@link #asks} for a member that the message waits for as long as it is connected. */
    public Answer asksOwner(Candidate member) {
        if (asks(member)) {
            return Answer.TAKES;
        }
        PassOver reason = lastReason();
        if (reason != PassOver.WINDOW_FULL && reason != PassOver.SOCKET_FULL) {
            return Answer.CANNOT;
        }
        awaited = member;
        return Answer.IS_FULL;
    }

    /** This shard's chance. */
    Chance chance() {
        return chance;
    }

    /** What this shard knows of the owners of hashes. */
    Owners owners() {
        return owners;
    }

    /** No member in rotation takes messages of this routing key. */
    void keyFiltered() {
        keyFiltered = true;
    }

    /** Whether the message is to be skipped, since nobody takes its routing key. */
    public boolean isKeyFiltered() {
        return keyFiltered;
    }

    /** The member that the message has to wait for, though others might take it; null for none. */
    public @Nullable Candidate awaited() {
        return awaited;
    }

    /** The window epoch of the credit taken, or {@link #KEPT}. */
    public long epoch() {
        return epoch;
    }

    /** The grant under which the member was chosen: what it is owed, and what the credit is for. */
    public Grant grant() {
        Grant granted = grant;
        if (granted == null) {
            throw new IllegalStateException("nobody was chosen");
        }
        return granted;
    }

    /** Why the member asked last was passed over. */
    PassOver lastReason() {
        return reasons[count - 1];
    }

    /** Whether the member, asked last, is away and keeps no turn either. */
    boolean hasLost(Candidate member) {
        return lastReason() == PassOver.DISCONNECTED && !member.keepsTurn();
    }

    public int passedOver() {
        return count;
    }

    /**
     * Whether every connected member who was asked is unable ever to take it. A member that is away
     * but keeps its turn does not count: what it can keep is kept, and it cannot keep QoS 0.
     */
    public boolean isTooLargeForAll() {
        boolean tooLarge = false;
        for (int i = 0; i < count; i++) {
            switch (reasons[i]) {
                case TOO_LARGE -> tooLarge = true;
                case DISCONNECTED, QOS_TOO_LOW -> {}
                case WINDOW_FULL, SOCKET_FULL -> {
                    return false;
                }
            }
        }
        return tooLarge;
    }

    public Verdict verdict() {
        List<Verdict.Passed> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(new Verdict.Passed(passed[i], reasons[i]));
        }
        Candidate member = chosen;
        if (member != null) {
            return new Verdict.Chosen(member, List.copyOf(list));
        }
        Candidate owner = awaited;
        if (owner != null) {
            // The owner is the last who was asked, and is not passed over.
            return new Verdict.Awaits(owner, List.copyOf(list.subList(0, count - 1)));
        }
        return keyFiltered ? new Verdict.KeyFiltered() : new Verdict.Nobody(List.copyOf(list));
    }

    boolean passOver(Candidate member, PassOver reason) {
        if (count == passed.length) {
            passed = Arrays.copyOf(passed, 2 * count);
            reasons = Arrays.copyOf(reasons, 2 * count);
        }
        passed[count] = member;
        reasons[count++] = reason;
        return false;
    }
}
