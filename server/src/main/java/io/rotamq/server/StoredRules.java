package io.rotamq.server;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SharingRule;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The rules that were set while running, in the store: one entry each, under its two patterns.
 *
 * <pre>
 *     key    length of share (4), share, filter
 *     value  version (1), rank (8), then key and value of each setting: length (4), UTF-8
 * </pre>
 *
 * The rank rises with each change, for the newest rule is asked first. Not safe for several threads
 * at once.
 */
final class StoredRules {
    /** Of a broker that stores nothing. */
    static final StoredRules NONE = new StoredRules(null);

    private static final int VERSION = 1;

    private final @Nullable Store store;
    private long rank;

    StoredRules(@Nullable Store store) {
        this.store = store;
    }

    private record Ranked(long rank, SharingRule rule) {}

    /** All of them, the oldest first. */
    List<SharingRule> read() {
        if (store == null) {
            return List.of();
        }
        List<Ranked> all = new ArrayList<>();
        store.forEach(Kind.RULE, (key, value) -> all.add(read(value)));
        all.sort(Comparator.comparingLong(Ranked::rank));
        rank = all.isEmpty() ? 0 : all.getLast().rank();
        return all.stream().map(Ranked::rule).toList();
    }

    /** Returns when it is safe. */
    void put(SharingRule rule) {
        Batch batch = new Batch();
        key(batch.put(Kind.RULE), rule.share(), rule.filter());
        batch.value().u8(VERSION).u64(++rank);
        rule.texts().forEach((name, text) -> text(text(batch, name), text));
        write(batch.end());
    }

    void delete(Glob share, Glob filter) {
        Batch batch = new Batch();
        key(batch.delete(Kind.RULE), share, filter);
        write(batch.end());
    }

    private static void key(Batch batch, Glob share, Glob filter) {
        text(batch, share.pattern()).utf8(filter.pattern());
    }

    private static Batch text(Batch batch, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return batch.u32(bytes.length).bytes(bytes);
    }

    private static Ranked read(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        try {
            int version = in.get();
            if (version != VERSION) {
                throw new StoreException("a rule has format " + version + ": use a newer RotaMQ");
            }
            long rank = in.getLong();
            Map<String, String> texts = new LinkedHashMap<>();
            while (in.hasRemaining()) {
                String name = text(in);
                texts.put(name, text(in));
            }
            return new Ranked(rank, SharingRule.running(texts));
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new StoreException("a stored rule is damaged: restore a backup", e);
        } catch (ConfigurationException e) {
            throw new StoreException("a stored rule: " + e.getMessage(), e);
        }
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new StoreException("a stored rule is damaged: restore a backup");
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private void write(Batch batch) {
        if (store == null) {
            return;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        store.write(
                batch,
                new Store.Commit() {
                    @Override
                    public void committed() {
                        done.complete(null);
                    }

                    @Override
                    public void failed(Store.Failure failure) {
                        done.completeExceptionally(
                                new StoreException(
                                        "the rule cannot be stored: " + failure.message()));
                    }
                });
        try {
            done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException failed ? failed : e;
        }
    }
}
