package io.rotamq.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Takes back what was set while the broker ran. */
@Command(
        name = "reset",
        description = {
            "Takes back what was set for exactly these patterns while the broker ran.",
            "The groups obey the file again, or another rule that matches them."
        })
final class ResetRuleCommand extends GroupsCommand.Asking {
    @Mixin private PatternOptions patterns = new PatternOptions();

    ResetRuleCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    void ask(AdminClient broker) throws AdminClient.Failed {
        GroupTables.changed(
                "reset", broker.delete(GroupsCommand.RULES, patterns.texts()), surroundings.out());
    }
}
