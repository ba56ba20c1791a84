package io.rotamq.storage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that writes {@link Load} into a store, and says on its output what was
 * committed; to be killed.
 */
final class CrashedProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final Map<Integer, Long> committed = new TreeMap<>();
    private int commits;

    private CrashedProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.US_ASCII);
    }

    static CrashedProcess start(Path directory, int writers) throws IOException {
        return new CrashedProcess(
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrashedProcess.class.getName(),
                                directory.toString(),
                                Integer.toString(writers))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    long pid() {
        return process.pid();
    }

    /**
     * Reads what was committed until there were so many more; false if the process ended before.
     */
    boolean awaitCommits(int more) throws IOException {
        int wanted = commits + more;
        while (commits < wanted) {
            String line = output.readLine();
            if (line == null) {
                return false;
            }
            note(line);
        }
        return true;
    }

    private void note(String line) {
        String[] parts = line.split(" ", 3);
        // The last line before the end may be cut.
        if (parts.length == 3 && parts[2].equals(".")) {
            committed.put(Integer.valueOf(parts[0]), Long.valueOf(parts[1]));
            commits++;
        }
    }

    /** SIGKILL, and the last batch of each writer that was said to be committed. */
    Map<Integer, Long> kill() throws IOException {
        // Through its handle: the process itself would close the output, and with it the last
        // lines.
        process.toHandle().destroyForcibly();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            note(line);
        }
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IOException("does not die");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return committed;
    }

    @Override
    public void close() throws IOException {
        kill();
    }

    /** Goes on where the process before was killed. */
    public static void main(String[] arguments) {
        RocksDbStore store = RocksDbStore.open(StorageSettings.of(Path.of(arguments[0]), Sync.OS));
        Map<Integer, Long> last = Load.check(store);
        PrintStream out = System.out;
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            int writer = i;
            long from = Objects.requireNonNullElse(last.get(writer), -1L) + 1;
            Thread.ofPlatform()
                    .start(
                            () ->
                                    Load.write(
                                            store,
                                            writer,
                                            from,
                                            (w, n) -> out.print(w + " " + n + " .\n")));
        }
    }
}
