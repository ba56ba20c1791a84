package io.rotamq.server.cli;

import io.rotamq.server.Broker;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code rotamq}: finds the subcommand, runs it, and says how it went. */
@Command(
        name = "rotamq",
        description = "An MQTT broker that shares one stream of messages over many workers.",
        footer = {
            "",
            "Exit status: 0 success, 1 failure while running, 2 wrong usage or configuration."
        })
public final class Main implements Callable<Integer> {
    private final BrokerStarter starter;
    private final StopSignal stopSignal;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // its being there is what counts
    private boolean help;

    @Spec private CommandSpec spec = CommandSpec.create();

    /** The program. */
    public static void main(String... arguments) {
        new Main(Broker::start).runAndExit(arguments);
    }

    /** The command line of this process. */
    public Main(BrokerStarter starter) {
        this(starter, new StopSignal.OfTheProcess());
    }

    Main(BrokerStarter starter, StopSignal stopSignal) {
        this.starter = starter;
        this.stopSignal = stopSignal;
    }

    /** Runs what the arguments say and ends the process with its exit status. */
    public void runAndExit(String... arguments) {
        PrintWriter out = utf8(System.out);
        PrintWriter err = utf8(System.err);
        int status =
                run(
                        new Surroundings(System.getenv(), out, err, PasswordPrompt.ofTheProcess()),
                        arguments);
        out.flush();
        err.flush();
        stopSignal.exit(status);
    }

    int run(Surroundings surroundings, String... arguments) {
        CommandLine commandLine = new CommandLine(this);
        commandLine.addSubcommand(new StartCommand(starter, stopSignal, surroundings));
        commandLine.addSubcommand(ConfigCommand.commandLine(surroundings));
        commandLine.addSubcommand(new PasswdCommand(surroundings));
        commandLine.addSubcommand(GroupsCommand.commandLine(surroundings));
        commandLine.addSubcommand(new BackupCommand(surroundings));
        commandLine.addSubcommand(new RestoreCommand(surroundings));
        commandLine.addSubcommand(StoreCommand.commandLine(surroundings));
        commandLine.addSubcommand(new VersionCommand(surroundings));
        commandLine.setOut(surroundings.out());
        commandLine.setErr(surroundings.err());
        commandLine.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        commandLine.setParameterExceptionHandler(
                (wrong, args) -> {
                    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
                    surroundings.complain(wrong.getMessage() + " (see " + command + " --help)");
                    return ExitStatus.USAGE;
                });
        return commandLine.execute(arguments);
    }

    /** Without a subcommand there is nothing to do. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USAGE;
    }

    private static PrintWriter utf8(java.io.PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
