package io.rotamq.server.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.rotamq.server.config.LogSettings;

/**
 * The log before the configuration is known, and in tests. Logback finds it as a service; without
 * it, it would search the class path for configuration files and then log everything to standard
 * output, which belongs to the ready line.
 */
public final class LogDefaults extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Logging.configure(
                context, new LogSettings(LogSettings.Level.INFO, LogSettings.Format.TEXT));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
