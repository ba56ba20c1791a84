package io.rotamq.core.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.Store.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
    private @Nullable MemoryStore last;

    @Override
    protected Store open() {
        MemoryStore before = last;
        last = before == null ? new MemoryStore(RESERVE) : before.crash();
        return last;
    }

    @Override
    protected void close(Store store) {
        ((MemoryStore) store).close();
    }

    @Override
    protected void turn(Store store) {
        ((MemoryStore) store).run();
    }

    @Override
    protected void setFreeBytes(Store store, long bytes) {
        ((MemoryStore) store).setFreeBytes(bytes);
    }

    @Override
    protected void breakDisk(Store store) {
        ((MemoryStore) store).fail("the disk is broken");
    }

    @Test
    void losesWhatWasNotToldWhenItCrashes() {
        MemoryStore store = new MemoryStore();
        List<String> told = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            store.write(
                    new Batch().put(Kind.META, name.getBytes(StandardCharsets.UTF_8), new byte[0]),
                    new Told(told, name));
        }
        assertThat(store.step()).isTrue();
        MemoryStore next = store.crash();
        store.run();
        List<String> found = new ArrayList<>();
        next.forEach(Kind.META, (key, value) -> found.add(new String(key, StandardCharsets.UTF_8)));
        assertThat(found).containsExactly("a");
        assertThat(told).containsExactly("a", "b");
    }

    private record Told(List<String> told, String name) implements Store.Commit {
        @Override
        public void committed() {
            told.add(name);
        }

        @Override
        public void failed(Store.Failure failure) {
            told.add(name + " failed");
        }
    }
}
