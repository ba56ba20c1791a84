package io.rotamq.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Log.Cursor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Log} keeps. Public, because adapters in other modules pass it too. */
public abstract class LogContract {
    private final Answers answers = new Answers();
    private Log log;

    /** Opens the log; again with what it has. */
    protected abstract Log open();

    /** Closes what was opened, in an orderly way. */
    protected abstract void close();

    /** Does what was handed over, where it is not done by itself. */
    protected void turn(Log log) {}

    protected abstract void breakDisk(Log log);

    @BeforeEach
    public void openIt() {
        log = open();
    }

    @AfterEach
    public void closeIt() {
        close();
    }

    @Test
    public void givesRecordsOffsetsWithoutGaps() {
        log.takeover(1, answers.answer("owner"));
        append(1, "a", "b");
        append(1, "c");
        append(1);
        append(1, "d");
        assertThat(answers.heard())
                .containsExactly(
                        "owner at 0", "append at 0", "append at 2", "append at 3", "append at 3");
        assertThat(read(0, 10)).isEqualTo("[0:a, 1:b, 2:c, 3:d] end 4");
    }

    @Test
    public void readsFromAnyOffset() {
        log.takeover(1, answers.answer("owner"));
        append(1, "a", "b", "c", "d");
        assertThat(read(1, 2)).isEqualTo("[1:b, 2:c] end 4");
        assertThat(read(3, 2)).isEqualTo("[3:d] end 4");
        assertThat(read(4, 2)).isEqualTo("[] end 4");
        assertThat(read(9, 2)).isEqualTo("[] end 4");
    }

    @Test
    public void fencesTheOwnerBefore() {
        log.takeover(1, answers.answer("first"));
        log.append(1, records("a"), answers.answer("append"));
        log.takeover(5, answers.answer("second"));
        log.append(1, records("b"), answers.answer("late"));
        log.append(5, records("c"), answers.answer("append"));
        settle();
        assertThat(answers.heard())
                .containsExactly(
                        "first at 0",
                        "append at 0",
                        "second at 1",
                        "late fenced by 5",
                        "append at 1");
        assertThat(read(0, 10)).isEqualTo("[0:a, 1:c] end 2");
    }

    @Test
    public void refusesAnEpochThatIsNotHigher() {
        log.takeover(5, answers.answer("owner"));
        log.takeover(5, answers.answer("same"));
        log.takeover(4, answers.answer("older"));
        log.append(6, records("x"), answers.answer("nobody"));
        settle();
        assertThat(answers.heard())
                .containsExactly(
                        "owner at 0",
                        "same fenced by 5",
                        "older fenced by 5",
                        "nobody fenced by 5");
    }

    @Test
    public void fencesAlsoTheOldOwnersTrimsAndCursors() {
        log.takeover(1, answers.answer("first"));
        append(1, "a");
        log.takeover(2, answers.answer("second"));
        log.trim(1, 1, answers.answer("trim"));
        log.saveCursor(1, "reader", new Cursor(1, new long[0]), answers.answer("cursor"));
        log.cursor("reader", answers.cursor());
        settle();
        assertThat(answers.heard().subList(3, 6))
                .containsExactlyInAnyOrder("trim fenced by 2", "cursor fenced by 2", "no cursor");
        assertThat(read(0, 10)).isEqualTo("[0:a] end 1");
    }

    @Test
    public void forgetsWhatIsTrimmedAndNothingElse() {
        log.takeover(1, answers.answer("owner"));
        append(1, "a", "b", "c");
        assertThat(trim(2)).isEqualTo("trim at 2");
        assertThat(read(0, 10)).isEqualTo("[2:c] end 3");
        assertThat(trim(1)).isEqualTo("trim at 2");
        assertThat(trim(99)).isEqualTo("trim at 3");
        assertThat(read(0, 10)).isEqualTo("[] end 3");
        append(1, "d");
        assertThat(read(0, 10)).isEqualTo("[3:d] end 4");
    }

    @Test
    public void remembersCursors() {
        log.takeover(1, answers.answer("owner"));
        append(1, "a", "b", "c");
        save("one", new Cursor(1, new long[] {5, -1}));
        save("two", new Cursor(3, new long[0]));
        save("one", new Cursor(2, new long[] {2}));
        assertThat(cursor("one")).isEqualTo("2[2]");
        assertThat(cursor("two")).isEqualTo("3[]");
        assertThat(cursor("three")).isEqualTo("no cursor");
    }

    @Test
    public void findsEverythingAgain() {
        log.takeover(1, answers.answer("owner"));
        append(1, "a", "b", "c");
        trim(3);
        save("reader", new Cursor(2, new long[] {1}));
        close();
        log = open();
        assertThat(read(0, 10)).isEqualTo("[] end 3");
        assertThat(cursor("reader")).isEqualTo("2[1]");
        append(0, "x");
        assertThat(answers.heard()).last().isEqualTo("append fenced by 1");
        log.takeover(8, answers.answer("next"));
        append(8, "d");
        assertThat(read(0, 10)).isEqualTo("[3:d] end 4");
    }

    @Test
    public void tellsEverybodyWhenTheDiskFails() {
        log.takeover(1, answers.answer("owner"));
        settle();
        breakDisk(log);
        log.append(1, records("a"), answers.answer("one"));
        log.append(1, records("b"), answers.answer("two"));
        settle();
        assertThat(answers.heard()).hasSize(3);
        assertThat(answers.heard().get(1)).isEqualTo("one failed: UNKNOWN");
        assertThat(answers.heard().get(2)).startsWith("two failed: ");
    }

    private void append(long epoch, String... texts) {
        log.append(epoch, records(texts), answers.answer("append"));
        settle();
    }

    private String read(long from, int max) {
        log.read(from, max, answers.records());
        settle();
        return answers.heard().getLast();
    }

    private String trim(long to) {
        log.trim(1, to, answers.answer("trim"));
        settle();
        return answers.heard().getLast();
    }

    private String cursor(String name) {
        log.cursor(name, answers.cursor());
        settle();
        return answers.heard().getLast();
    }

    private void save(String name, Cursor cursor) {
        log.saveCursor(1, name, cursor, answers.answer("save"));
        settle();
    }

    private void settle() {
        turn(log);
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(2))
                .until(answers::areComplete);
    }

    private static List<byte[]> records(String... texts) {
        return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    }
}
