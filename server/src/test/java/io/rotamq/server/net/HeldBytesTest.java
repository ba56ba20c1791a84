package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldBytesTest {
    private final HeldBytes held = new HeldBytes(100_000);

    @Test
    void refusesWhoeverWantsMoreThanThereIs() {
        assertThat(held.change(60_000)).isTrue();
        assertThat(held.change(60_000)).isFalse();
        assertThat(held.change(-60_000)).as("whoever gives back").isTrue();
        assertThat(held.change(30_000)).isTrue();
        assertThat(held.used()).isEqualTo(90_000);
    }

    @Test
    void doesNotCountSmallPieces() {
        assertThat(HeldBytes.charge(4_096)).isZero();
        assertThat(HeldBytes.charge(65_536)).isEqualTo(65_536);
    }
}
