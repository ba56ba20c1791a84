package io.rotamq.server.config;

import java.nio.file.Path;

/** Where a value comes from; in the order of precedence, the later ones win. */
sealed interface Origin {

    /** What the operator is told: {@code rotamq.yaml:12}, a variable, or an argument. */
    String describe();

    /** The directory from which a relative path in the value counts. */
    default Path base() {
        return Path.of("");
    }

    /** The built-in default. */
    record Default() implements Origin {
        @Override
        public String describe() {
            return "default";
        }
    }

    /** A line of a configuration file; its relative paths count from the file's directory. */
    record FileLine(Path file, int line) implements Origin {
        @Override
        public String describe() {
            return file + ":" + line;
        }

        @Override
        public Path base() {
            Path directory = file.getParent();
            return directory == null ? Path.of("") : directory;
        }
    }

    /** What an operator asks of a broker that runs. */
    record Request() implements Origin {
        @Override
        public String describe() {
            return "request";
        }
    }

    /** A variable of the environment. */
    record Environment(String variable) implements Origin {
        @Override
        public String describe() {
            return "environment variable " + variable;
        }
    }

    /** An argument of the command line, as it was typed but without the value of a secret. */
    record CommandLine(String argument) implements Origin {
        @Override
        public String describe() {
            return argument;
        }
    }
}
