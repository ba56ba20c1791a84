package io.rotamq.core.index;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A long list, in the order of places. Immutable; with one entry more or less it shares all chunks
 * but one with the list before, so a change costs about as much with a hundred thousand entries as
 * with a hundred, and readers on any thread need no lock.
 */
public final class Ranks<T extends Ranked> {
    private static final Ranks<Ranked> NONE = new Ranks<>(new Ranked[0][]);

    /** Entries of a full chunk: copied in less time than it takes to find the place. */
    static final int CHUNK = 512;

    private final Ranked[][] chunks;

    /** How many entries stand before each chunk, and at the end how many there are. */
    private final int[] starts;

    private Ranks(Ranked[][] chunks) {
        this.chunks = chunks;
        this.starts = new int[chunks.length + 1];
        for (int i = 0; i < chunks.length; i++) {
            starts[i + 1] = starts[i] + chunks[i].length;
        }
    }

    /** The empty list. */
    @SuppressWarnings("unchecked") // it has nothing of any type
    public static <T extends Ranked> Ranks<T> none() {
        return (Ranks<T>) NONE;
    }

    /** A list of entries that are in the order of their places. */
    public static <T extends Ranked> Ranks<T> of(List<T> sorted) {
        Ranked[] all = sorted.toArray(Ranked[]::new);
        Ranked[][] chunks = new Ranked[(all.length + CHUNK - 1) / CHUNK][];
        for (int i = 0; i < chunks.length; i++) {
            int from = i * CHUNK;
            chunks[i] = Arrays.copyOfRange(all, from, Math.min(from + CHUNK, all.length));
        }
        return new Ranks<>(chunks);
    }

    public int size() {
        return starts[chunks.length];
    }

    @SuppressWarnings("unchecked") // only entries of this type come in
    public T get(int index) {
        int chunk = chunks.length == 1 ? 0 : chunkAt(index);
        return (T) chunks[chunk][index - starts[chunk]];
    }

    @SuppressWarnings("unchecked") // only entries of this type come in
    public void forEach(Consumer<? super T> sink) {
        for (Ranked[] chunk : chunks) {
            for (Ranked entry : chunk) {
                sink.accept((T) entry);
            }
        }
    }

    /** Where the entry of that place stands; {@code -1 - i} if it would stand at {@code i}. */
    public int find(long place) {
        int chunk = chunkOf(place);
        if (chunk < 0) {
            return -1;
        }
        int at = find(chunks[chunk], place);
        return at >= 0 ? starts[chunk] + at : at - starts[chunk];
    }

    /** With an entry that was not there, at its place. */
    public Ranks<T> with(T entry) {
        int chunk = chunkOf(entry.place());
        if (chunk < 0) {
            if (chunks.length == 0) {
                return new Ranks<>(new Ranked[][] {{entry}});
            }
            chunk = 0;
        }
        Ranked[] old = chunks[chunk];
        int at = -1 - find(old, entry.place());
        if (old.length < CHUNK) {
            return replaced(chunk, 1, inserted(old, at, entry));
        }
        if (at == CHUNK && chunk == chunks.length - 1) {
            return replaced(chunk, 1, old, new Ranked[] {entry});
        }
        Ranked[] more = inserted(old, at, entry);
        return replaced(
                chunk,
                1,
                Arrays.copyOf(more, CHUNK / 2),
                Arrays.copyOfRange(more, CHUNK / 2, more.length));
    }

    /** Without the entry that stands at this index. */
    public Ranks<T> without(int index) {
        int chunk = chunkAt(index);
        Ranked[] old = chunks[chunk];
        if (old.length == 1) {
            return replaced(chunk, 1);
        }
        int at = index - starts[chunk];
        Ranked[] fewer = Arrays.copyOf(old, old.length - 1);
        System.arraycopy(old, at + 1, fewer, at, fewer.length - at);
        int next = chunk + 1;
        if (next < chunks.length && fewer.length + chunks[next].length <= CHUNK / 2) {
            Ranked[] both = Arrays.copyOf(fewer, fewer.length + chunks[next].length);
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

    private static int find(Ranked[] chunk, long place) {
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

    private static Ranked[] inserted(Ranked[] old, int at, Ranked entry) {
        Ranked[] more = Arrays.copyOf(old, old.length + 1);
        System.arraycopy(old, at, more, at + 1, old.length - at);
        more[at] = entry;
        return more;
    }

    private Ranks<T> replaced(int chunk, int gone, Ranked[]... by) {
        Ranked[][] changed = Arrays.copyOf(chunks, chunks.length - gone + by.length);
        System.arraycopy(by, 0, changed, chunk, by.length);
        int behind = chunk + gone;
        System.arraycopy(chunks, behind, changed, chunk + by.length, chunks.length - behind);
        return new Ranks<>(changed);
    }
}
