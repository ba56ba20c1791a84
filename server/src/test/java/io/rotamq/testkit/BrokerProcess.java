package io.rotamq.testkit;

import io.rotamq.server.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker in a process of its own, on free ports and a data directory; can be killed. */
public final class BrokerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready: mqtt 127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final int port;

    private BrokerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns when it is ready; its log goes to the standard error of the tests. */
    public static BrokerProcess start(Path data, String... settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("start", "--data", data.toString()));
        for (String setting :
                List.of(
                        "node.shards=2",
                        "mqtt.port=0",
                        "websocket.enabled=false",
                        "admin.enabled=false",
                        "log.level=warn",
                        "storage.reserve=0")) {
            command.addAll(List.of("--set", setting));
        }
        for (String setting : settings) {
            command.addAll(List.of("--set", setting));
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("ROTAMQ_"));
        Process process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        Matcher ready = READY.matcher(line == null ? "" : line);
        if (!ready.find()) {
            process.destroyForcibly();
            throw new IOException("the broker did not start: " + line);
        }
        return new BrokerProcess(process, Integer.parseInt(ready.group(1)));
    }

    public int port() {
        return port;
    }

    /** SIGKILL. */
    public void kill() {
        process.toHandle().destroyForcibly();
        await();
    }

    /** SIGTERM; the exit status. */
    public int stop() {
        process.destroy();
        return await();
    }

    private int await() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the broker does not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
