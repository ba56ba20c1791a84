package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private final List<Integer> wakes = new ArrayList<>();
    private final Mailbox mailbox = new Mailbox(wakes::add, 3);
    private final List<Object> seen = new ArrayList<>();

    @Test
    void wakesItsLoopOnceForABurst() {
        mailbox.post("a");
        mailbox.post("b");
        assertThat(wakes).containsExactly(3);
        mailbox.run(seen::add);
        assertThat(seen).containsExactly("a", "b");
        mailbox.post("c");
        assertThat(wakes).hasSize(2);
    }

    @Test
    void wakesItsLoopAgainForWhatLiesBehindAnEntryThatFails() {
        mailbox.post("bad");
        mailbox.post("good");
        assertThatThrownBy(() -> mailbox.run(this::read)).isInstanceOf(IllegalStateException.class);
        assertThat(wakes).hasSize(2);
        mailbox.run(this::read);
        assertThat(seen).containsExactly("good");
    }

    private void read(Object entry) {
        if (entry.equals("bad")) {
            throw new IllegalStateException("a fault");
        }
        seen.add(entry);
    }
}
