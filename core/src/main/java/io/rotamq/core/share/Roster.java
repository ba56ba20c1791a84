package io.rotamq.core.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The members of a group at one moment, in the order in which they joined. Immutable: readers on
 * any shard see one consistent roster.
 */
public final class Roster {
    static final Roster EMPTY = new Roster(new Member[0], new Member[0]);

    private final Member[] members;
    private final Member[] rotation;

    private Roster(Member[] members, Member[] rotation) {
        this.members = members;
        this.rotation = rotation;
    }

    private static Roster of(Member[] members) {
        int turns = 0;
        Member[] rotation = new Member[members.length];
        for (Member member : members) {
            if (member.isInRotation()) {
                rotation[turns++] = member;
            }
        }
        return new Roster(
                members, turns == members.length ? members : Arrays.copyOf(rotation, turns));
    }

    Roster with(Member member) {
        Member[] more = Arrays.copyOf(members, members.length + 1);
        more[members.length] = member;
        return of(more);
    }

    Roster without(Member member) {
        List<Member> fewer = new ArrayList<>(Arrays.asList(members));
        fewer.remove(member);
        return of(fewer.toArray(Member[]::new));
    }

    /** The same members, those in rotation counted anew. */
    Roster refreshed() {
        return of(members);
    }

    /** Whether the group has no session at all. */
    boolean isEmpty() {
        return members.length == 0;
    }

    public int size() {
        return members.length;
    }

    /** Members that have a turn: the connected ones, and those that keep theirs. */
    public int turns() {
        return rotation.length;
    }

    public Member turn(int index) {
        return rotation[index];
    }

    public Member member(int index) {
        return members[index];
    }

    /** Where the turn of {@code member} is in this roster; -1 if it has none. */
    int indexOf(Member member) {
        for (int i = 0; i < rotation.length; i++) {
            if (rotation[i] == member) {
                return i;
            }
        }
        return -1;
    }

    /** Whether some connected member lacks nothing but room in its socket. */
    boolean hasBlockedMember() {
        for (Member member : rotation) {
            if (member.recipient().window().peek() == Window.BLOCKED) {
                return true;
            }
        }
        return false;
    }
}
