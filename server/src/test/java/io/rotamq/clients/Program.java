package io.rotamq.clients;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;

/**
 * A client that is a program: its lines of output are read by a thread of their own, those that a
 * predicate takes at once, the others by whoever waits for them.
 */
final class Program implements AutoCloseable {
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Program(List<String> command, Predicate<String> taken) {
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> read(taken));
    }

    /** Skips the test unless the program is installed. */
    static void assumeInstalled(String name, String installedBy) {
        boolean found = false;
        for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
            found |= Files.isExecutable(Path.of(directory, name));
        }
        Assumptions.assumeTrue(found, name + " is not installed: " + installedBy);
    }

    /** Waits for a line of output that starts like this. */
    void expect(String start) {
        try {
            String line = "";
            while (!line.startsWith(start)) {
                line = lines.poll(20, TimeUnit.SECONDS);
                if (line == null || line.startsWith("error")) {
                    throw new AssertionError("no '" + start + "' but " + line);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void type(String line) {
        try {
            Writer in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end of the program, which must be a success. */
    void succeed() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("failed: " + lines);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }

    private void read(Predicate<String> taken) {
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (!taken.test(line)) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            lines.add("error: " + e.getMessage());
        }
        lines.add("error: the program has ended");
    }
}
