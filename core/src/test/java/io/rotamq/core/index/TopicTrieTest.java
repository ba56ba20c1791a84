package io.rotamq.core.index;

import static io.rotamq.core.index.RandomTopics.filter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TopicTrieTest {
    private final TopicTrie<String> trie = new TopicTrie<>(1);

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-4.7.1-2")
    void manyLevelWildcardMatchesTheParentAndAnyDepthBelow() {
        add("sport/tennis/#", "sport/#", "#", "sport/tennis", "finance/#");
        assertThat(match("sport/tennis"))
                .containsExactlyInAnyOrder("sport/tennis/#", "sport/#", "#", "sport/tennis");
        assertThat(match("sport")).containsExactlyInAnyOrder("sport/#", "#");
        assertThat(match("sport/tennis/a/b/c"))
                .containsExactlyInAnyOrder("sport/tennis/#", "sport/#", "#");
        assertThat(match("sports")).containsExactly("#");
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-4.7.1-3")
    void oneLevelWildcardMatchesExactlyOneLevelAlsoAnEmptyOne() {
        add("+", "/+", "+/+", "a/+", "a/+/c", "+/+/+");
        assertThat(match("a")).containsExactly("+");
        assertThat(match("/a")).containsExactlyInAnyOrder("/+", "+/+");
        assertThat(match("/")).containsExactlyInAnyOrder("/+", "+/+");
        assertThat(match("a/")).containsExactlyInAnyOrder("a/+", "+/+");
        assertThat(match("a//c")).containsExactlyInAnyOrder("a/+/c", "+/+/+");
    }

    @Test
    @Tag("mqtt5")
    @Tag("mqtt311")
    @Tag("MQTT-4.7.2-1")
    void leadingWildcardDoesNotMatchTopicsThatBeginWithDollar() {
        add("#", "+/monitor/Clients", "+/#", "$SYS/#", "$SYS/monitor/+", "a/+");
        assertThat(match("$SYS/monitor/Clients"))
                .containsExactlyInAnyOrder("$SYS/#", "$SYS/monitor/+");
        assertThat(match("$SYS")).containsExactly("$SYS/#");
        assertThat(match("a/$SYS")).containsExactlyInAnyOrder("#", "+/#", "a/+");
    }

    @Test
    void loneLeadingWildcardDoesNotMatchTopicsThatBeginWithDollar() {
        add("+/x");
        assertThat(match("$SYS/x")).isEmpty();
        assertThat(match("SYS/x")).containsExactly("+/x");
    }

    @Test
    @Tag("mqtt5")
    @Tag("mqtt311")
    @Tag("MQTT-4.7.3-4")
    void levelsAreComparedByteForByte() {
        add("Accounts", "accounts", "ä/é", "a/é");
        assertThat(match("ACCOUNTS")).isEmpty();
        assertThat(match("Accounts")).containsExactly("Accounts");
        assertThat(match("ä/e\u0301")).isEmpty();
        assertThat(match("ä/é")).containsExactly("ä/é");
    }

    @Test
    void emptyLevelsCount() {
        add("a", "/a", "a/", "//a", "/", "//", "a//b", "a/b");
        for (String topic : List.of("a", "/a", "a/", "//a", "/", "//", "a//b", "a/b")) {
            assertThat(match(topic)).containsExactly(topic);
        }
        assertThat(match("///")).isEmpty();
    }

    @Test
    void valueCanBeReplacedAndIsFoundUnderItsFilterOnly() {
        add("a/+/b");
        trie.update(filter("a/+/b"), old -> old + "!");
        assertThat(trie.get(filter("a/+/b"))).isEqualTo("a/+/b!");
        assertThat(trie.get(filter("a/x/b"))).isNull();
        assertThat(trie.get(filter("a/+"))).isNull();
        assertThat(trie.get(filter("a/+/b/c"))).isNull();
        assertThat(match("a/x/b")).containsExactly("a/+/b!");
        assertThat(trie.size()).isEqualTo(1);
    }

    @Test
    void updateThatMakesNothingOutOfNothingChangesNothing() {
        add("a/b/c", "a/b/d");
        TreeShape before = TreeShape.of(trie.tree);
        long epoch = trie.epoch();
        for (String text : List.of("x", "a", "a/b", "a/b/c/d", "a/+", "#")) {
            assertThat(trie.update(filter(text), old -> old)).isNull();
        }
        trie.update(filter("a/b/c"), old -> old);
        assertThat(TreeShape.of(trie.tree)).isEqualTo(before);
        assertThat(trie.epoch()).isEqualTo(epoch);
    }

    @Test
    void updateThatFailsChangesNothing() {
        add("a/b", "a/c");
        long epoch = trie.epoch();
        for (String text : List.of("a/b", "a", "a/b/c", "x")) {
            assertThatThrownBy(() -> trie.update(filter(text), TopicTrieTest::fail))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(trie.epoch()).isEqualTo(epoch);
        assertThat(match("a/b")).containsExactly("a/b");
        assertThat(TreeShape.of(trie.tree).values()).isEqualTo(2);
    }

    @Test
    void epochRisesWithEveryChange() {
        long start = trie.epoch();
        add("a/b", "a/c", "#");
        assertThat(trie.epoch()).isEqualTo(start + 3);
        trie.update(filter("a/b"), old -> "other");
        assertThat(trie.epoch()).isEqualTo(start + 4);
        remove("a/b");
        assertThat(trie.epoch()).isEqualTo(start + 5);
    }

    @Test
    void oneFilterTakesOneNodeHoweverManyLevelsItHas() {
        add("+/".repeat(32_767) + "#");
        assertThat(TreeShape.of(trie.tree)).isEqualTo(new TreeShape(1, 1, 0));
        add("+/".repeat(32_766) + "a");
        assertThat(TreeShape.of(trie.tree).nodes()).isEqualTo(3);
        remove("+/".repeat(32_767) + "#");
        assertThat(TreeShape.of(trie.tree)).isEqualTo(new TreeShape(1, 1, 0));
    }

    @Test
    void topicsAndFiltersMayHaveAsManyLevelsAsFitIn() {
        String slashes = "/".repeat(65_535);
        add(slashes, "#", "/#", slashes.substring(1) + "#");
        add("+/".repeat(32_767) + "+", "+/".repeat(32_767) + "#", "/".repeat(32_767));
        assertThat(match(slashes)).hasSize(5);
        assertThat(match("/".repeat(32_767))).hasSize(5);
        assertThat(match("/".repeat(32_766))).hasSize(3);
        List<String> all = new ArrayList<>();
        trie.forEach((filter, value) -> all.add(filter.toString()));
        assertThat(all).hasSize(7).contains(slashes, "+/".repeat(32_767) + "+");
        for (String text : all) {
            remove(text);
        }
        assertThat(TreeShape.of(trie.tree).nodes()).isZero();
    }

    @Test
    void alternativesOnEveryLevelOfADeepPathAreAllFound() {
        List<String> expected = new ArrayList<>();
        String path = "";
        for (int level = 0; level < 300; level++) {
            expected.add(path + "+/#");
            path += "a/";
        }
        expected.forEach(this::add);
        add(path + "b");
        assertThat(match(path + "a")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(match(path)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    @Timeout(20)
    void wildcardsOnEveryLevelCostNoMoreThanTheFiltersThereAre() {
        int levels = 14;
        for (int bits = 0; bits < 1 << levels; bits++) {
            StringBuilder text = new StringBuilder();
            for (int level = 0; level < levels; level++) {
                text.append((bits >> level & 1) == 0 ? "+/" : "a/");
            }
            add(text + "x");
        }
        assertThat(match("a/".repeat(levels) + "x")).hasSize(1 << levels).doesNotHaveDuplicates();
        assertThat(match("a/".repeat(levels) + "y")).isEmpty();
        assertThat(match("a/".repeat(32_767))).isEmpty();
    }

    /** Filters below one parent cost the same each, however many there are (case C164). */
    @Test
    @Timeout(60)
    void halfAMillionFiltersBelowOneParentComeAndGoQuickly() {
        int filters = 500_000;
        for (int i = 0; i < filters; i++) {
            add("devices/" + i + "/state");
        }
        TreeShape shape = TreeShape.of(trie.tree);
        assertThat(shape.nodes()).isEqualTo(filters + 1);
        for (int i = 0; i < filters; i += 1001) {
            assertThat(match("devices/" + i + "/state")).containsExactly("devices/" + i + "/state");
        }
        for (int i = 0; i < filters; i++) {
            remove("devices/" + i + "/state");
        }
        assertThat(TreeShape.of(trie.tree)).isEqualTo(new TreeShape(0, 0, 0));
    }

    @Test
    void comingAndGoingFiltersLeaveNothingBehind() {
        Random random = new Random(5);
        add("a/fixed/b", "a/+/b");
        for (int i = 0; i < 300_000; i++) {
            add("a/" + i + "/b");
            if (i >= 50) {
                remove("a/" + (i - 1 - random.nextInt(2) * 49) + "/b");
                remove("a/" + (i - 50) + "/b");
            }
        }
        TreeShape shape = TreeShape.of(trie.tree);
        assertThat(shape.values()).isLessThanOrEqualTo(52);
        assertThat(shape.slots()).isLessThanOrEqualTo(256);
        assertThat(match("a/fixed/b")).containsExactlyInAnyOrder("a/fixed/b", "a/+/b");
    }

    /** Else a client that comes back again and again makes searches longer and longer. */
    @Test
    void filterThatComesAndGoesUsesTheSameSlotAgain() {
        for (int i = 0; i < 900; i++) {
            add("devices/" + i);
        }
        for (int i = 0; i < 500; i++) {
            add("devices/again");
            remove("devices/again");
        }
        Fork<String> fork = forkBelow(trie.tree.root());
        assertThat(fork.tables()).hasSize(1);
        assertThat(fork.tables()[0].slots()).filteredOn(slot -> slot != null).hasSize(901);
    }

    private static <V> Fork<V> forkBelow(Node<V> node) {
        return switch (node.below()) {
            case Fork<V> fork -> fork;
            case Node<V> only -> forkBelow(only);
            case null -> throw new AssertionError("no fork");
        };
    }

    private static String fail(String old) {
        throw new IllegalStateException("no value for " + old);
    }

    private void add(String... filters) {
        for (String text : filters) {
            trie.update(filter(text), old -> text);
        }
    }

    private void remove(String text) {
        TopicFilter filter = filter(text);
        trie.update(filter, old -> null);
    }

    private List<String> match(String topic) {
        List<String> values = new ArrayList<>();
        trie.match(TopicName.of(topic), values::add);
        return values;
    }
}
