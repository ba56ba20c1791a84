package io.rotamq.core.strategy;

import io.rotamq.core.index.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group at one moment, in the order in which they joined. Immutable: readers on
 * any shard see one consistent roster, and a change makes another one.
 */
public final class Roster {
    private static final AtomicLong STAMPS = new AtomicLong();
    public static final Roster EMPTY = new Roster(Ranks.none(), Ranks.none());

    private final Ranks<Candidate> members;
    private final Ranks<Candidate> rotation;
    private final long stamp = STAMPS.incrementAndGet();

    /** Made when first asked for; shards that race for it make equal ones. */
    private long @Nullable [] hashes;

    private Roster(Ranks<Candidate> members, Ranks<Candidate> rotation) {
        this.members = members;
        this.rotation = rotation;
    }

    /** A new member, behind all others. */
    public Roster with(Candidate member) {
        Ranks<Candidate> turns = member.isInRotation() ? rotation.with(member) : rotation;
        return new Roster(members.with(member), turns);
    }

    public Roster without(Candidate member) {
        int at = members.find(member.place());
        if (at < 0) {
            return this;
        }
        int turn = rotation.find(member.place());
        return new Roster(members.without(at), turn < 0 ? rotation : rotation.without(turn));
    }

    /** The same members, this one in rotation or not as it is now. */
    public Roster refreshed(Candidate member) {
        int turn = rotation.find(member.place());
        boolean inRotation = member.isInRotation();
        if (turn >= 0 == inRotation || members.find(member.place()) < 0) {
            return this;
        }
        return new Roster(members, inRotation ? rotation.with(member) : rotation.without(turn));
    }

    /** The same members, those in rotation counted anew. */
    public Roster refreshed() {
        List<Candidate> turns = new ArrayList<>();
        members.forEach(
                member -> {
                    if (member.isInRotation()) {
                        turns.add(member);
                    }
                });
        return new Roster(members, Ranks.of(turns));
    }

    /** The same members, of which one takes other messages than before. */
    public Roster renewed() {
        return new Roster(members, rotation);
    }

    /** Whether the group has no session at all. */
    public boolean isEmpty() {
        return members.size() == 0;
    }

    public int size() {
        return members.size();
    }

    /** Members that have a turn: the connected ones, and those that keep theirs. */
    public int turns() {
        return rotation.size();
    }

    public Candidate turn(int index) {
        return rotation.get(index);
    }

    public Candidate member(int index) {
        return members.get(index);
    }

    /**
     * Where the member of that place has its turn; {@code -1 - i} if it has none and would stand at
     * {@code i}.
     *
     * @param hint where to look first
     */
    int find(long place, int hint) {
        return hint < rotation.size() && rotation.get(hint).place() == place
                ? hint
                : rotation.find(place);
    }

    /** No other roster has it, of whatever group: so what is known of this one can be told. */
    long stamp() {
        return stamp;
    }

    /** Of the members that have a turn, by their turns; not to be changed. */
    long[] hashes() {
        long[] made = hashes;
        if (made == null) {
            made = new long[rotation.size()];
            for (int i = 0; i < made.length; i++) {
                made[i] = rotation.get(i).hash();
            }
            hashes = made;
        }
        return made;
    }

    /** Whether some connected member lacks nothing but room in its socket. */
    public boolean hasBlockedMember() {
        for (int i = 0; i < rotation.size(); i++) {
            if (rotation.get(i).window().peek() == Window.BLOCKED) {
                return true;
            }
        }
        return false;
    }
}
