package io.rotamq.server.cli;

import io.rotamq.server.RunningBroker;
import io.rotamq.server.StartException;
import io.rotamq.server.config.Configuration;
import io.rotamq.server.config.ConfigurationException;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the broker until it is told to stop. */
@Command(
        name = "start",
        description = {
            "Starts the broker and runs until SIGTERM or SIGINT.",
            "When it accepts connections it prints one line on standard output; the log goes to"
                    + " standard error."
        })
final class StartCommand implements Callable<Integer> {
    private final BrokerStarter starter;
    private final StopSignal stopSignal;
    private final Surroundings surroundings;

    @Mixin private ConfigurationOptions options = new ConfigurationOptions();

    StartCommand(BrokerStarter starter, StopSignal stopSignal, Surroundings surroundings) {
        this.starter = starter;
        this.stopSignal = stopSignal;
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration;
        try {
            configuration = options.read(surroundings.environment()).configuration();
        } catch (ConfigurationException e) {
            surroundings.complain(e);
            return ExitStatus.USAGE;
        }
        Logging.configure(configuration.log());
        stopSignal.arm();
        RunningBroker broker;
        try {
            broker = starter.start(configuration);
        } catch (StartException e) {
            surroundings.complain(e);
            return ExitStatus.FAILED;
        }
        Logger log = LoggerFactory.getLogger(StartCommand.class);
        configuration.security().notice().ifPresent(log::warn);
        surroundings.out().println(readyLine(broker));
        surroundings.out().flush();
        stopSignal.await();
        log.info("Stopping");
        broker.stop();
        log.info("Stopped");
        return ExitStatus.OK;
    }

    private static String readyLine(RunningBroker broker) {
        return broker.endpoints().stream()
                .map(RunningBroker.Endpoint::toString)
                .collect(Collectors.joining(", ", "RotaMQ " + Version.text() + " ready: ", ""));
    }
}
