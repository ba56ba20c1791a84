package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that are set while the broker runs, before and behind those of the file. */
class RunningRulesTest {
    private static final Glob A = new Glob("a*");
    private static final Glob ANY = Glob.ANY;

    @TempDir Path directory;
    private SharingRules rules;

    @BeforeEach
    void read() throws Exception {
        rules =
                Configurations.ofFile(
                                directory,
                                """
                                sharing:
                                  default-strategy: random
                                  rules:
                                    - share: a*
                                      offline-members: keep
                                """)
                        .sharing()
                        .rules();
    }

    @Test
    void standBeforeTheRulesOfTheFileTheLatestFirst() throws Exception {
        set(Map.of("share", "a*", "filter", "t/*", "strategy", "sticky"));
        assertThat(strategy("ab", "t/1")).isEqualTo(StrategyName.STICKY);
        assertThat(strategy("ab", "x")).isEqualTo(StrategyName.RANDOM);

        set(Map.of("filter", "t/1", "strategy", "failover"));

        assertThat(strategy("ab", "t/1")).isEqualTo(StrategyName.FAILOVER);
        assertThat(strategy("ab", "t/2")).isEqualTo(StrategyName.STICKY);
        assertThat(rules.running()).extracting(SharingRule::share).containsExactly(ANY, A);
    }

    @Test
    void replaceTheOneWithTheSamePatternsOrAddToIt() throws Exception {
        set(Map.of("share", "a*", "strategy", "sticky", "max-members", "3"));

        merge(Map.of("share", "a*", "strategy", "failover"));
        GroupSettings merged = rules.settingsOf("ab", "t");
        assertThat(merged.choice().strategy()).isEqualTo(StrategyName.FAILOVER);
        assertThat(merged.maximumMembers()).isEqualTo(3);

        set(Map.of("share", "a*", "strategy", "local"));
        GroupSettings replaced = rules.settingsOf("ab", "t");
        assertThat(replaced.choice().strategy()).isEqualTo(StrategyName.LOCAL);
        assertThat(replaced.maximumMembers()).isEqualTo(1_000_000);
        assertThat(rules.running()).hasSize(1);
    }

    @Test
    void changeTheDefaultThatRulesFollowInWhatTheyLeaveOut() throws Exception {
        set(Map.of("strategy", "hash_topic"));

        assertThat(strategy("b", "t")).isEqualTo(StrategyName.HASH_TOPIC);
        assertThat(strategy("ab", "t")).isEqualTo(StrategyName.HASH_TOPIC);
        assertThat(rules.settingsOf("ab", "t").offlineMembers()).isEqualTo(OfflineMembers.KEEP);
        assertThat(rules.settingsOf("ab", "t").rule())
                .isEqualTo("sharing.rules[1] (share a*, filter *)");
        assertThat(rules.defaults().rule()).isEqualTo("default, changed while running");
    }

    @Test
    void leaveNothingBehindWhenTheyAreTakenBack() throws Exception {
        SharingRules configured = rules;
        set(Map.of("share", "a*", "strategy", "sticky"));
        set(Map.of("strategy", "local"));

        rules = rules.without(A, ANY).orElseThrow();
        assertThat(strategy("ab", "t")).isEqualTo(StrategyName.LOCAL);
        rules = rules.without(ANY, ANY).orElseThrow();

        assertThat(rules).isEqualTo(configured);
        assertThat(rules.without(A, ANY)).as("the file's own").isEmpty();
    }

    @Test
    void tellWhatTheyStateInTheWordsOfTheFile() throws Exception {
        set(
                Map.of(
                        "share", "g",
                        "key", "topic-level:2",
                        "backlog.max-bytes", "65536",
                        "backlog.slow-limit", "90"));

        assertThat(rules.running().getFirst().stated())
                .hasToString(
                        "{share=g, key=topic-level:2, backlog={max-bytes=64KiB, slow-limit=90s}}");
    }

    @Test
    void areBoundedInNumber() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            set(Map.of("share", "g" + i, "strategy", "sticky"));
        }

        assertThatThrownBy(() -> set(Map.of("share", "one-more", "strategy", "sticky")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "request: share: 1000 rules are set already: reset one, or write them in"
                                + " the file");
        set(Map.of("share", "g5", "strategy", "local"));
        assertThat(strategy("g5", "t")).isEqualTo(StrategyName.LOCAL);
    }

    private void set(Map<String, String> texts) throws ConfigurationException {
        rules = rules.with(SharingRule.running(texts), false);
    }

    private void merge(Map<String, String> texts) throws ConfigurationException {
        rules = rules.with(SharingRule.running(texts), true);
    }

    private StrategyName strategy(String share, String filter) {
        return rules.settingsOf(share, filter).choice().strategy();
    }
}
