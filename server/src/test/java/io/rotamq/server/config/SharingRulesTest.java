package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.InitialPick;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.RoutingKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharingRulesTest {
    @TempDir Path directory;

    @Test
    void givesAGroupTheOptionsOfTheFirstRuleThatMatches() throws Exception {
        SharingRules sharing =
                sharing(
                        """
                        sharing:
                          offline-members: skip
                          backlog.max-messages: 10
                          default-strategy: random
                          rules:
                            - share: work*
                              filter: factory/*
                              offline-members: keep
                            - share: "*"
                              strategy: key_shared
                              key: topic-level:2
                              max-members: 3
                              backlog:
                                max-messages: 20
                                overflow: reject_new
                        """);

        GroupSettings first = sharing.settingsOf("workers", "factory/+/temperature");
        assertThat(first.offlineMembers()).isEqualTo(OfflineMembers.KEEP);
        assertThat(first.backlog().maximumMessages()).isEqualTo(10);
        assertThat(first.choice().strategy()).isEqualTo(StrategyName.RANDOM);
        GroupSettings second = sharing.settingsOf("workers", "office/#");
        assertThat(second.offlineMembers()).isEqualTo(OfflineMembers.SKIP);
        assertThat(second.backlog().maximumMessages()).isEqualTo(20);
        assertThat(second.backlog().overflow()).isEqualTo(Overflow.REJECT_NEW);
        assertThat(second.choice().strategy()).isEqualTo(StrategyName.KEY_SHARED);
        assertThat(second.choice().key()).isEqualTo(new RoutingKey.TopicLevel(2));
        assertThat(second.maximumMembers()).isEqualTo(3);
    }

    @Test
    void saysInWordsWhatGaveAGroupItsOptions() throws Exception {
        SharingRules sharing = sharing("sharing.rules:\n  - share: x\n  - share: a*\n");

        assertThat(sharing.settingsOf("ab", "t/#").rule())
                .isEqualTo("sharing.rules[2] (share a*, filter *)");
        assertThat(sharing.settingsOf("b", "t/#").rule()).isEqualTo("default");
    }

    @Test
    void givesAGroupTheDefaultsWhenNoRuleMatches() throws Exception {
        SharingRules sharing = sharing("sharing.rules:\n  - share: a\n    offline-members: keep\n");

        assertThat(sharing.settingsOf("b", "#")).isEqualTo(sharing.defaults());
        assertThat(sharing.settingsOf("a", "#")).isNotEqualTo(sharing.defaults());
    }

    @ParameterizedTest
    @EnumSource(StrategyName.class)
    void knowsEveryStrategyByItsName(StrategyName strategy) throws Exception {
        String name = strategy.name().toLowerCase(Locale.ROOT);

        assertThat(strategyOf("sharing.default-strategy: " + name)).isEqualTo(strategy);
        assertThat(strategyOf("sharing.rules:\n  - strategy: " + name)).isEqualTo(strategy);
    }

    @Test
    void knowsHowStickyPicks() throws Exception {
        for (InitialPick pick : InitialPick.values()) {
            String name = pick.name().toLowerCase(Locale.ROOT);
            assertThat(sharing("sharing.initial-pick: " + name).defaults().choice().initialPick())
                    .isEqualTo(pick);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "topic, Topic[]",
        "client-id, ClientId[]",
        "topic-level:1, TopicLevel[level=1]",
        "topic-level:12, TopicLevel[level=12]",
        "user-property:device, UserProperty[name=device]",
        "user-property:a:b, UserProperty[name=a:b]"
    })
    void readsRoutingKeysAndShowsThemAsTheyWereWritten(String text, String key) throws Exception {
        RoutingKey read = sharing("sharing.key: " + text).defaults().choice().key();

        assertThat(read).hasToString(key);
        assertThat(GroupOptions.KEY.kind().show(read)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topics",
                "topic-level",
                "'topic-level:'",
                "topic-level:0",
                "topic-level:-1",
                "topic-level:99999",
                "'user-property:'",
                "Topic"
            })
    void refusesOtherRoutingKeysAndSaysWhatIsAllowed(String text) {
        String plain = text.replace("'", "");
        assertThat(error("sharing:\n  key: " + text + "\n"))
                .startsWith(file() + ":2: sharing.key: \"" + plain + "\" ")
                .endsWith(
                        "; allowed: topic, topic-level:N with N from 1, client-id,"
                                + " user-property:NAME");
    }

    @Test
    void keepsMarksWithinTheBacklog() throws Exception {
        GroupSettings defaults = sharing("sharing.backlog.max-messages: 10\n").defaults();

        assertThat(defaults.backlog().highWater()).isEqualTo(10);
        assertThat(defaults.backlog().maximumLaneMessages()).isEqualTo(10);
    }

    @Test
    void takesAnEmptyListForNoRules() throws Exception {
        assertThat(sharing("sharing:\n  rules:\n").file()).isEmpty();
        assertThat(sharing("sharing:\n  rules: []\n").file()).isEmpty();
    }

    @Test
    void namesLineAndRuleOfAMistake() {
        assertThat(
                        error(
                                "sharing:\n"
                                        + "  rules:\n"
                                        + "    - share: a\n"
                                        + "    - backlog:\n"
                                        + "        max-bytes: 1\n"))
                .isEqualTo(
                        file()
                                + ":5: sharing.rules[2].backlog.max-bytes: 1 is out of range;"
                                + " allowed: a size from 1KiB to 1024GiB (plain number: bytes; KiB,"
                                + " MiB, GiB)");
        assertThat(error("sharing.rules:\n  - share: a\n    offline-member: keep\n"))
                .isEqualTo(
                        file()
                                + ":3: sharing.rules[1].offline-member: unknown setting; did you"
                                + " mean offline-members?");
        assertThat(error("sharing.rules:\n  - share: a\n    strategy: sticki\n"))
                .isEqualTo(
                        file()
                                + ":3: sharing.rules[1].strategy: \"sticki\" is not one of the"
                                + " allowed values; allowed: round_robin_per_group, round_robin,"
                                + " random, sticky, local, hash_clientid, hash_topic,"
                                + " least_inflight, failover, exclusive, key_shared");
        assertThat(error("sharing.rules:\n  - share: ''\n"))
                .isEqualTo(
                        file()
                                + ":2: sharing.rules[1].share: the pattern is empty and would match"
                                + " nothing; allowed: a pattern in which * stands for any"
                                + " characters");
        assertThat(error("sharing.rules:\n  - share: a\n    share: b\n"))
                .isEqualTo(
                        file()
                                + ":3: sharing.rules[1].share: set twice, first at "
                                + file()
                                + ":2");
    }

    @Test
    void wantsAListOfMappings() {
        String allowed =
                "; allowed: a list of entries with share, filter, strategy, initial-pick, key,"
                        + " offline-members, max-members, backlog.max-messages,"
                        + " backlog.max-bytes, backlog.max-lane-messages, backlog.overflow,"
                        + " backlog.high-water, backlog.slow-limit";

        assertThat(error("sharing.rules: a\n"))
                .isEqualTo(file() + ":1: sharing.rules: is not a list" + allowed);
        assertThat(error("sharing.rules:\n  - a\n"))
                .isEqualTo(file() + ":2: sharing.rules[1]: is not a mapping" + allowed);
    }

    @Test
    void areSetInAFileOnly() {
        assertThat(
                        catchThrowableOfType(
                                        ConfigurationException.class,
                                        () -> Configurations.of("sharing.rules=[]"))
                                .getMessage())
                .startsWith(
                        "--set: sharing.rules: can be set in a configuration file only; allowed: ");
    }

    private StrategyName strategyOf(String text) throws Exception {
        return sharing(text).settingsOf("g", "t").choice().strategy();
    }

    private SharingRules sharing(String text) throws Exception {
        return Configurations.ofFile(directory, text).sharing().rules();
    }

    private Path file() {
        return directory.resolve("rotamq.yaml");
    }

    private String error(String text) {
        return catchThrowableOfType(
                        ConfigurationException.class,
                        () ->
                                ConfigurationReader.read(
                                        Configurations.write(directory, text), Map.of(), List.of()))
                .getMessage();
    }
}
