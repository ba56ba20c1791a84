package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rotamq.server.config.GroupSettings.OfflineMembers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharingRulesTest {
    @TempDir Path directory;

    @Test
    void givesAGroupTheOptionsOfTheFirstRuleThatMatches() throws Exception {
        SharingSettings sharing =
                sharing(
                        """
                        sharing:
                          offline-members: skip
                          backlog.max-messages: 10
                          rules:
                            - share: work*
                              filter: factory/*
                              offline-members: keep
                            - share: "*"
                              backlog:
                                max-messages: 20
                                overflow: reject_new
                        """);

        GroupSettings first = sharing.group("workers", "factory/+/temperature");
        assertThat(first.offlineMembers()).isEqualTo(OfflineMembers.KEEP);
        assertThat(first.backlog().maxMessages()).isEqualTo(10);
        GroupSettings second = sharing.group("workers", "office/#");
        assertThat(second.offlineMembers()).isEqualTo(OfflineMembers.SKIP);
        assertThat(second.backlog().maxMessages()).isEqualTo(20);
        assertThat(second.backlog().overflow()).isEqualTo(GroupSettings.BacklogOverflow.REJECT_NEW);
    }

    @Test
    void givesAGroupTheDefaultsWhenNoRuleMatches() throws Exception {
        SharingSettings sharing =
                sharing("sharing.rules:\n  - share: a\n    offline-members: keep\n");

        assertThat(sharing.group("b", "#")).isEqualTo(sharing.defaults());
        assertThat(sharing.group("a", "#")).isNotEqualTo(sharing.defaults());
    }

    @Test
    void keepsTheHighWaterMarkWithinTheBacklog() throws Exception {
        SharingSettings sharing = sharing("sharing.backlog.max-messages: 10\n");

        assertThat(sharing.defaults().backlog().highWater()).isEqualTo(10);
    }

    @Test
    void takesAnEmptyListForNoRules() throws Exception {
        assertThat(sharing("sharing:\n  rules:\n").rules()).isEmpty();
        assertThat(sharing("sharing:\n  rules: []\n").rules()).isEmpty();
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
                "; allowed: a list of entries with share, filter, strategy, offline-members,"
                        + " backlog.max-messages, backlog.max-bytes, backlog.overflow,"
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

    private SharingSettings sharing(String text) throws Exception {
        return Configurations.ofFile(directory, text).sharing();
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
