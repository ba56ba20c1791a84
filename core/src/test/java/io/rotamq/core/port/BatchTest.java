package io.rotamq.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.core.port.Store.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchTest {
    private final Batch batch = new Batch();

    @Test
    void showsWhatWasWrittenInItsOrder() {
        batch.put(Kind.SESSION).u8(1).u16(2).value().u32(3).u64(4).end();
        batch.delete(Kind.META).utf8("é").end();
        batch.deleteRange(Kind.LOG, new byte[] {1}, new byte[] {2});
        batch.put(Kind.RULE, new byte[0], new byte[0]);
        assertThat(changes())
                .containsExactly(
                        "put SESSION 010002 000000030000000000000004",
                        "delete META c3a9",
                        "range LOG 01 02",
                        "put RULE  ");
        assertThat(batch.entries()).isEqualTo(4);
    }

    @Test
    void writesVarints() {
        batch.put(Kind.META).value();
        for (long value : new long[] {0, 127, 128, 300, -1}) {
            batch.varint(value);
        }
        batch.end();
        assertThat(changes())
                .containsExactly("put META  00" + "7f" + "8001" + "ac02" + "f".repeat(18) + "01");
    }

    @Test
    void growsAndIsUsedAgain() {
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) 7);
        batch.put(Kind.MESSAGE, new byte[] {1}, large);
        assertThat(batch.size()).isGreaterThan(large.length);
        batch.clear();
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.entries()).isZero();
        batch.put(Kind.MESSAGE, new byte[] {1}, new byte[] {2});
        assertThat(changes()).containsExactly("put MESSAGE 01 02");
    }

    @Test
    void knowsWhetherItTakesSpace() {
        assertThat(batch.isTakenWhenNearlyFull()).isTrue();
        batch.delete(Kind.META, new byte[] {1}).deleteRange(Kind.META, new byte[1], new byte[2]);
        assertThat(batch.isTakenWhenNearlyFull()).isTrue();
        batch.put(Kind.META, new byte[] {1}, new byte[] {1});
        assertThat(batch.isTakenWhenNearlyFull()).isFalse();
        assertThat(batch.essential().isTakenWhenNearlyFull()).isTrue();
        batch.clear();
        batch.put(Kind.META, new byte[] {1}, new byte[] {1});
        assertThat(batch.isTakenWhenNearlyFull()).isFalse();
    }

    /** They are names on disks. */
    @Test
    void kindsKeepTheirNames() {
        assertThat(Stream.of(Kind.values()).map(Kind::label))
                .startsWith("session", "subscription", "message", "delivery", "inbound")
                .contains("retained", "backlog", "rule", "meta", "log", "cursor")
                .doesNotHaveDuplicates();
    }

    @Test
    void noticesAnEntryThatIsNotWhole() {
        assertThatThrownBy(batch::end).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> batch.u8(1)).isInstanceOf(IllegalStateException.class);
        batch.put(Kind.META).u8(1);
        assertThatThrownBy(batch::end).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> batch.put(Kind.META)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(batch::lend).isInstanceOf(IllegalStateException.class);
        batch.value();
        assertThatThrownBy(batch::value).isInstanceOf(IllegalStateException.class);
        batch.end();
        batch.lend();
        batch.giveBack();
        batch.clear();
    }

    private List<String> changes() {
        List<String> changes = new ArrayList<>();
        batch.forEach(
                new Batch.Visitor() {
                    @Override
                    public void put(
                            Kind kind,
                            byte[] array,
                            int key,
                            int keyLength,
                            int value,
                            int length) {
                        changes.add(
                                "put %s %s %s"
                                        .formatted(
                                                kind,
                                                hex(array, key, keyLength),
                                                hex(array, value, length)));
                    }

                    @Override
                    public void delete(Kind kind, byte[] array, int key, int keyLength) {
                        changes.add("delete " + kind + " " + hex(array, key, keyLength));
                    }

                    @Override
                    public void deleteRange(
                            Kind kind,
                            byte[] array,
                            int from,
                            int fromLength,
                            int to,
                            int toLength) {
                        changes.add(
                                "range %s %s %s"
                                        .formatted(
                                                kind,
                                                hex(array, from, fromLength),
                                                hex(array, to, toLength)));
                    }
                });
        return changes;
    }

    private static String hex(byte[] array, int from, int length) {
        return HexFormat.of().formatHex(array, from, from + length);
    }
}
