package io.rotamq.server.cli;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * Sets a rule of a running broker. The broker alone judges the values: it may be of another version
 * than this program.
 */
@Command(
        name = "set",
        description = {
            "Sets options of the groups that match; the next message obeys.",
            "What is set stands before the rules of the file, the latest first, and lasts until it"
                    + " is reset or the broker stops. Of a rule with the same patterns, what is not"
                    + " said again stays."
        })
final class SetRuleCommand extends GroupsCommand.Asking {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private PatternOptions patterns = new PatternOptions();

    @Option(names = "--strategy", paramLabel = "S", description = "How a member is picked.")
    private @Nullable String strategy;

    @Option(names = "--initial-pick", paramLabel = "P", description = "First pick of sticky.")
    private @Nullable String initialPick;

    @Option(
            names = "--key",
            paramLabel = "K",
            description =
                    "What key_shared keeps order by: topic, topic-level:N, client-id or"
                            + " user-property:NAME.")
    private @Nullable String key;

    @Option(
            names = "--offline-members",
            paramLabel = "M",
            description = "The turn of members that are away: skip or keep.")
    private @Nullable String offlineMembers;

    @Option(names = "--max-members", paramLabel = "N", description = "The most members.")
    private @Nullable String maxMembers;

    @Option(
            names = "--overflow",
            paramLabel = "O",
            description = "At a full backlog: slow, drop_oldest or reject_new.")
    private @Nullable String overflow;

    @Option(names = "--max-messages", paramLabel = "N", description = "The most that wait.")
    private @Nullable String maxMessages;

    @Option(names = "--max-bytes", paramLabel = "B", description = "The same in bytes.")
    private @Nullable String maxBytes;

    @Option(
            names = "--max-lane-messages",
            paramLabel = "N",
            description = "The most that wait for one key of key_shared.")
    private @Nullable String maxLaneMessages;

    @Option(
            names = "--high-water",
            paramLabel = "N",
            description = "Waiting messages above which publishers are slowed.")
    private @Nullable String highWater;

    @Option(
            names = "--slow-limit",
            paramLabel = "T",
            description = "How long publishers are slowed before the oldest are dropped.")
    private @Nullable String slowLimit;

    SetRuleCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    void ask(AdminClient broker) throws AdminClient.Failed {
        Map<String, String> stated = stated();
        if (stated.isEmpty()) {
            String command = spec.qualifiedName();
            throw new AdminClient.Failed(
                    "nothing to set (see " + command + " --help)", ExitStatus.USAGE);
        }
        Map<String, String> rule = patterns.texts();
        rule.putAll(stated);
        JsonNode answer = broker.patch(GroupsCommand.RULES, rule);
        GroupTables.changed("set", answer, surroundings.out());
    }

    private Map<String, String> stated() {
        Map<String, String> texts = new TreeMap<>();
        put(texts, "strategy", strategy);
        put(texts, "initial-pick", initialPick);
        put(texts, "key", key);
        put(texts, "offline-members", offlineMembers);
        put(texts, "max-members", maxMembers);
        put(texts, "backlog.overflow", overflow);
        put(texts, "backlog.max-messages", maxMessages);
        put(texts, "backlog.max-bytes", maxBytes);
        put(texts, "backlog.max-lane-messages", maxLaneMessages);
        put(texts, "backlog.high-water", highWater);
        put(texts, "backlog.slow-limit", slowLimit);
        return texts;
    }

    private static void put(Map<String, String> texts, String key, @Nullable String value) {
        if (value != null) {
            texts.put(key, value);
        }
    }
}
