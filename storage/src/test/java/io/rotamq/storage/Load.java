package io.rotamq.storage;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Commit;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Batches of writers whose traces in a store tell whether any was lost, torn or reordered. Batch n
 * of a writer says so in META, stores a number of messages that follows from n, and deletes those
 * of the batch that lies {@link #KEPT} before it.
 */
final class Load {
    static final int KEPT = 5;
    private static final int IN_FLIGHT = 16;

    private Load() {}

    /** Hears of commits. */
    interface Listener {
        void committed(int writer, long number);
    }

    /** Writes batches from a number on until one is refused or the thread is interrupted. */
    static void write(Store store, int writer, long from, Listener listener) {
        Semaphore free = new Semaphore(IN_FLIGHT);
        AtomicBoolean refused = new AtomicBoolean();
        for (long n = from; acquire(free) && !refused.get(); n++) {
            long number = n;
            store.write(
                    batch(writer, n),
                    new Commit() {
                        @Override
                        public void committed() {
                            listener.committed(writer, number);
                            free.release();
                        }

                        @Override
                        public void failed(Failure failure) {
                            refused.set(true);
                            free.release();
                        }
                    });
        }
    }

    private static boolean acquire(Semaphore free) {
        try {
            free.acquire();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static Batch batch(int writer, long n) {
        Batch batch = new Batch();
        batch.put(Kind.META).u32(writer).value().u64(n).end();
        for (int i = 0; i < messages(n); i++) {
            batch.put(Kind.MESSAGE).u32(writer).u64(n).u16(i).value().u64(n);
            batch.bytes(new byte[(int) (n * 37 % 900)]).end();
        }
        long old = n - KEPT;
        if (old % 2 == 0) {
            for (int i = 0; i < messages(old); i++) {
                batch.delete(Kind.MESSAGE).u32(writer).u64(old).u16(i).end();
            }
        } else {
            batch.deleteRange(Kind.MESSAGE, key(writer, old), key(writer, old + 1));
        }
        return batch;
    }

    private static int messages(long n) {
        return n < 0 ? 0 : 1 + (int) (n % 7);
    }

    private static byte[] key(int writer, long n) {
        return ByteBuffer.allocate(12).putInt(writer).putLong(n).array();
    }

    /**
     * The last batch of each writer.
     *
     * @throws AssertionError when what is there is not what batches in order leave
     */
    static Map<Integer, Long> check(Store store) {
        Map<Integer, Long> last = new TreeMap<>();
        store.forEach(
                Kind.META,
                (key, value) ->
                        last.put(ByteBuffer.wrap(key).getInt(), ByteBuffer.wrap(value).getLong()));
        Map<Integer, Map<Long, Integer>> found = new TreeMap<>();
        store.forEach(
                Kind.MESSAGE,
                (key, value) -> {
                    ByteBuffer fields = ByteBuffer.wrap(key);
                    int writer = fields.getInt();
                    long n = fields.getLong();
                    if (ByteBuffer.wrap(value).getLong() != n || value.length != 8 + n * 37 % 900) {
                        throw new AssertionError("a message of " + n + " has another's value");
                    }
                    found.computeIfAbsent(writer, w -> new TreeMap<>()).merge(n, 1, Integer::sum);
                });
        Map<Integer, Map<Long, Integer>> expected = new TreeMap<>();
        last.forEach((writer, n) -> expected.put(writer, left(n)));
        if (!found.equals(expected)) {
            throw new AssertionError("found " + found + ", expected " + expected);
        }
        return last;
    }

    private static Map<Long, Integer> left(long last) {
        Map<Long, Integer> messages = new TreeMap<>();
        for (long n = Math.max(0, last - KEPT + 1); n <= last; n++) {
            messages.put(n, messages(n));
        }
        return messages;
    }
}
