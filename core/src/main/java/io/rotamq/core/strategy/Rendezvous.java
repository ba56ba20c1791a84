package io.rotamq.core.strategy;

import io.rotamq.core.strategy.Claim.Answer;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rendezvous hashing: each member has a weight for each hash, made of the hash and of its client
 * identifier alone; the heaviest owns the hash. So everybody who knows the members agrees, a joiner
 * takes only what it owns itself, and a leaver's hashes alone find other owners.
 *
 * <p>An owner that is there but full is waited for. While it cannot be waited for, the next in the
 * order of weights is asked.
 */
final class Rendezvous {
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    /** Bits of a weight that tell members apart whose weights are the same: their turn. */
    private static final long TURN = (1L << 24) - 1;

    private Rendezvous() {}

    /** Which members may own something. */
    interface Suitable {
        Suitable EVERYBODY = member -> true;

        boolean suits(Candidate member);
    }

    /** The owner of a hash, if it takes the message, or whoever does so in its place. */
    static @Nullable Candidate choose(Roster roster, long hash, Suitable suitable, Claim claim) {
        int turn = owner(roster, hash, suitable, claim);
        return turn < 0 ? null : ask(roster, turn, hash, suitable, claim);
    }

    /** Asks the owner, whose turn is known, and whoever may do so in its place. */
    static @Nullable Candidate ask(
            Roster roster, int turn, long hash, Suitable suitable, Claim claim) {
        Candidate owner = roster.turn(turn);
        Answer answer = claim.asksOwner(owner);
        if (answer == Answer.CANNOT) {
            return next(roster, hash, suitable, turn, claim);
        }
        return answer == Answer.TAKES ? owner : null;
    }

    @SuppressWarnings("ReferenceEquality") // there is one everybody
    private static int owner(Roster roster, long hash, Suitable suitable, Claim claim) {
        Owners known = claim.owners();
        // While the rules change, shards choose by both among the same members: those of a key
        // are not those of a hash.
        long entry = suitable == Suitable.EVERYBODY ? hash : ~hash;
        int turn = known.get(roster.stamp(), entry);
        if (turn == Owners.UNKNOWN) {
            turn = heaviest(roster, hash, suitable);
            known.put(roster.stamp(), entry, turn);
        }
        return turn;
    }

    /** The turn of the owner; negative if nobody suits. */
    static int heaviest(Roster roster, long hash, Suitable suitable) {
        long[] members = roster.hashes();
        int heaviest = Owners.NOBODY;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < members.length; i++) {
            long weight = weight(hash, members[i], i);
            if (weight > most && suitable.suits(roster.turn(i))) {
                heaviest = i;
                most = weight;
            }
        }
        return heaviest;
    }

    /** Asks the others in their order: rare, so it may cost what sorting costs. */
    private static @Nullable Candidate next(
            Roster roster, long hash, Suitable suitable, int owner, Claim claim) {
        long[] weights = weights(roster, hash);
        for (int i = weights.length - 1; i >= 0; i--) {
            int turn = turn(weights[i]);
            Candidate member = roster.turn(turn);
            if (turn == owner || !suitable.suits(member)) {
                continue;
            }
            Answer answer = claim.asksOwner(member);
            if (answer != Answer.CANNOT) {
                return answer == Answer.TAKES ? member : null;
            }
        }
        return null;
    }

    /** All weights, the heaviest last; their lower bits are the turns. */
    static long[] weights(Roster roster, long hash) {
        long[] members = roster.hashes();
        long[] weights = new long[members.length];
        for (int i = 0; i < members.length; i++) {
            weights[i] = weight(hash, members[i], i);
        }
        Arrays.sort(weights);
        return weights;
    }

    /** The turn that belongs to one of {@link #weights}. */
    static int turn(long weight) {
        return (int) (weight & TURN);
    }

    private static long weight(long hash, long member, int turn) {
        return mix(hash ^ member) & ~TURN | turn;
    }

    /** The hash of a topic; those of 32 bits, mixed, serve to spread. */
    static long hash(TopicName topic) {
        return mix(topic.hashCode());
    }

    /** A hash of 64 bits, the same on every node. */
    static long hash(String text) {
        int length = text.length();
        long state = length;
        int at = 0;
        for (; at + 4 <= length; at += 4) {
            long word =
                    text.charAt(at)
                            | (long) text.charAt(at + 1) << 16
                            | (long) text.charAt(at + 2) << 32
                            | (long) text.charAt(at + 3) << 48;
            state = Long.rotateLeft((state ^ word) * MULTIPLIER, 29);
        }
        for (; at < length; at++) {
            state = Long.rotateLeft((state ^ text.charAt(at)) * MULTIPLIER, 29);
        }
        return mix(state);
    }

    /** Makes every bit depend on every other; reversible, so nothing collides that did not. */
    static long mix(long word) {
        long mixed = (word ^ word >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
