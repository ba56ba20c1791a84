package io.rotamq.server.cli;

/** What the process tells who called it. */
final class ExitStatus {
    static final int OK = 0;

    /** The broker could not start, or failed while running. */
    static final int FAILED = 1;

    /** The command line or the configuration is wrong; nothing was started. */
    static final int USAGE = 2;

    private ExitStatus() {}
}
