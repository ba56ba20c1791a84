package io.rotamq.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.rotamq.server.config.LogSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Sets up the log as configured. By hand and not from an XML file: the parser would take a good
 * part of the time that a start may take.
 */
final class Logging {
    /** What clients and operators chose, and what is logged of it, cannot begin another line. */
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %replace(%msg){'\\p{Cntrl}+',"
                    + " ' '}%n";

    private Logging() {}

    static void configure(LogSettings settings) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        configure(context, settings);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /** Sets up a context that has no appender yet. */
    static void configure(LoggerContext context, LogSettings settings) {
        Encoder<ILoggingEvent> encoder =
                switch (settings.format()) {
                    case TEXT -> text();
                    case JSON -> new JsonEncoder();
                };
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.valueOf(settings.level().name()));
        quiet(context, root.getLevel());
    }

    /** What libraries tell about their own start is of no use to an operator. */
    private static void quiet(LoggerContext context, Level level) {
        if (level.isGreaterOrEqual(Level.INFO) && !level.isGreaterOrEqual(Level.WARN)) {
            context.getLogger("io.helidon").setLevel(Level.WARN);
            context.getLogger("io.netty").setLevel(Level.WARN);
        }
    }

    private static PatternLayoutEncoder text() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(PATTERN);
        return encoder;
    }
}
