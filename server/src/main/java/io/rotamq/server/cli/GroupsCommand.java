package io.rotamq.server.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Looks at the share groups of a running broker and changes their rules. */
@Command(
        name = "groups",
        description = "Shows the share groups of a running broker, and changes their rules.")
final class GroupsCommand implements Callable<Integer> {
    static final String RULES = "/sharing/rules";

    @Spec private CommandSpec spec = CommandSpec.create();

    private GroupsCommand() {}

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new GroupsCommand())
                .addSubcommand(new Listing(surroundings))
                .addSubcommand(new Show(surroundings))
                .addSubcommand(new Rules(surroundings))
                .addSubcommand(new SetRuleCommand(surroundings))
                .addSubcommand(new ResetRuleCommand(surroundings));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USAGE;
    }

    /** A subcommand that asks the broker something. */
    abstract static class Asking implements Callable<Integer> {
        final Surroundings surroundings;

        @Mixin private AdminOptions admin = new AdminOptions();

        Asking(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        /** Asks and prints the answer. */
        abstract void ask(AdminClient broker) throws AdminClient.Failed;

        @Override
        public Integer call() {
            try (AdminClient broker = new AdminClient(admin.base(surroundings.environment()))) {
                ask(broker);
                return ExitStatus.OK;
            } catch (AdminOptions.BadAddress e) {
                surroundings.complain(e);
                return ExitStatus.USAGE;
            } catch (AdminClient.Failed e) {
                surroundings.complain(Table.harmless(String.valueOf(e.getMessage())));
                return e.status();
            }
        }
    }

    /** Asks for something that can be shown as JSON too. */
    abstract static class Showing extends Asking {
        @Option(names = "--json", description = "Print JSON, for programs.")
        private boolean json;

        Showing(Surroundings surroundings) {
            super(surroundings);
        }

        void print(JsonNode answer) {
            if (json) {
                surroundings.out().println(answer.toPrettyString());
            } else {
                table(answer);
            }
        }

        abstract void table(JsonNode answer);
    }

    @Command(name = "list", description = "Lists all groups.")
    static final class Listing extends Showing {
        Listing(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        void ask(AdminClient broker) throws AdminClient.Failed {
            print(broker.get("/groups", Map.of()));
        }

        @Override
        void table(JsonNode answer) {
            GroupTables.list(answer, surroundings.out());
        }
    }

    @Command(name = "show", description = "Shows one group and its members.")
    static final class Show extends Showing {
        @Parameters(index = "0", paramLabel = "SHARE", description = "The share name.")
        private String share = "";

        @Parameters(index = "1", paramLabel = "FILTER", description = "The topic filter.")
        private String filter = "";

        Show(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        void ask(AdminClient broker) throws AdminClient.Failed {
            print(broker.get("/groups", Map.of("share", share, "filter", filter)));
        }

        @Override
        void table(JsonNode answer) {
            GroupTables.group(answer, surroundings.out());
        }
    }

    @Command(
            name = "rules",
            description = {
                "Lists the rules, in the order in which they are asked, and the default.",
                "The first rule that matches a group gives its options."
            })
    static final class Rules extends Showing {
        Rules(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        void ask(AdminClient broker) throws AdminClient.Failed {
            print(broker.get(RULES, Map.of()));
        }

        @Override
        void table(JsonNode answer) {
            GroupTables.rules(answer, surroundings.out());
        }
    }
}
