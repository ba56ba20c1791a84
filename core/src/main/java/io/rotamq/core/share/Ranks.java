package io.rotamq.core.share;

import java.util.Arrays;

/**
 * Members in the order in which they joined, told apart by their places. Immutable; with one member
 * more or less it shares all chunks but one with the one before, so a change costs about as much
 * with a hundred thousand members as with a hundred.
 */
final class Ranks {
    static final Ranks NONE = new Ranks(new Member[0][]);

    /** Members of a full chunk: copied in less time than it takes to find the place. */
    static final int CHUNK = 512;

    private final Member[][] chunks;

    /** How many members stand before each chunk, and at the end how many there are. */
    private final int[] starts;

    private Ranks(Member[][] chunks) {
        this.chunks = chunks;
        this.starts = new int[chunks.length + 1];
        for (int i = 0; i < chunks.length; i++) {
            starts[i + 1] = starts[i] + chunks[i].length;
        }
    }

    int size() {
        return starts[chunks.length];
    }

    Member get(int index) {
        int chunk = chunks.length == 1 ? 0 : chunkAt(index);
        return chunks[chunk][index - starts[chunk]];
    }

    /** Where the member of that place stands; {@code -1 - i} if it would stand at {@code i}. */
    int find(long place) {
        int chunk = chunkOf(place);
        if (chunk < 0) {
            return -1;
        }
        int at = find(chunks[chunk], place);
        return at >= 0 ? starts[chunk] + at : at - starts[chunk];
    }

    /** With a member that was not there, at its place. */
    Ranks with(Member member) {
        int chunk = chunkOf(member.place());
        if (chunk < 0) {
            if (chunks.length == 0) {
                return new Ranks(new Member[][] {{member}});
            }
            chunk = 0;
        }
        Member[] old = chunks[chunk];
        int at = -1 - find(old, member.place());
        if (old.length < CHUNK) {
            return replaced(chunk, 1, inserted(old, at, member));
        }
        if (at == CHUNK && chunk == chunks.length - 1) {
            return replaced(chunk, 1, old, new Member[] {member});
        }
        Member[] more = inserted(old, at, member);
        return replaced(
                chunk,
                1,
                Arrays.copyOf(more, CHUNK / 2),
                Arrays.copyOfRange(more, CHUNK / 2, more.length));
    }

    /** Without the member that stands at this index. */
    Ranks without(int index) {
        int chunk = chunkAt(index);
        Member[] old = chunks[chunk];
        if (old.length == 1) {
            return replaced(chunk, 1);
        }
        int at = index - starts[chunk];
        Member[] fewer = Arrays.copyOf(old, old.length - 1);
        System.arraycopy(old, at + 1, fewer, at, fewer.length - at);
        int next = chunk + 1;
        if (next < chunks.length && fewer.length + chunks[next].length <= CHUNK / 2) {
            Member[] both = Arrays.copyOf(fewer, fewer.length + chunks[next].length);
            System.arraycopy(chunks[next], 0, both, fewer.length, chunks[next].length);
            return replaced(chunk, 2, both);
        }
        return replaced(chunk, 1, fewer);
    }

    /** The last chunk that does not begin behind this index. */
    private int chunkAt(int index) {
        int low = 0;
        int high = chunks.length - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (starts[middle] <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The last chunk that does not begin behind this place; -1 if all do. */
    private int chunkOf(long place) {
        int low = -1;
        int high = chunks.length - 1;
        while (low < high) {
            int middle = low + high + 1 >> 1;
            if (chunks[middle][0].place() <= place) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static int find(Member[] chunk, long place) {
        int low = 0;
        int high = chunk.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            long there = chunk[middle].place();
            if (there == place) {
                return middle;
            }
            if (there < place) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    private static Member[] inserted(Member[] old, int at, Member member) {
        Member[] more = Arrays.copyOf(old, old.length + 1);
        System.arraycopy(old, at, more, at + 1, old.length - at);
        more[at] = member;
        return more;
    }

    private Ranks replaced(int chunk, int gone, Member[]... by) {
        Member[][] changed = Arrays.copyOf(chunks, chunks.length - gone + by.length);
        System.arraycopy(by, 0, changed, chunk, by.length);
        int behind = chunk + gone;
        System.arraycopy(chunks, behind, changed, chunk + by.length, chunks.length - behind);
        return new Ranks(changed);
    }
}
