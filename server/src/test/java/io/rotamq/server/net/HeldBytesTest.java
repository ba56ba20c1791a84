package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldBytesTest {
    private final HeldBytes held = new HeldBytes(100_000);

    private final List<String> gone = new ArrayList<>();

    @Test
    void letsThoseGoThatHaveHeldLongest() {
        long first = held.enter(() -> gone.add("first"));
        held.enter(() -> gone.add("second"));
        held.enter(() -> gone.add("third"));
        held.change(100_000);
        held.relieve();
        assertThat(gone).isEmpty();
        held.leave(first);
        held.change(1);
        held.relieve();
        assertThat(gone).containsExactly("second");
        held.relieve();
        assertThat(gone).as("one after the other").containsExactly("second");
        held.relieved();
        assertThat(gone).containsExactly("second", "third");
    }

    @Test
    void doesNotCountSmallPieces() {
        assertThat(HeldBytes.charge(4_096)).isZero();
        assertThat(HeldBytes.charge(65_536)).isEqualTo(65_536);
    }
}
