package io.rotamq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a process of its own can show: signals, exit statuses and the two streams. */
@Timeout(60)
class ProcessTest {
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void killWhatIsLeft() {
        processes.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void stopsInOrderOnASignalAndExitsWithZero(String signal) throws Exception {
        Process process = run("start");
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        assertThat(out.readLine()).startsWith("RotaMQ ").contains(" ready: mqtt 127.0.0.1:40001");

        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();

        assertThat(process.waitFor()).isZero();
        assertThat(out.readLine()).isNull();
        assertThat(process.errorReader().readAllAsString())
                .containsPattern("(?m)^\\d{4}-\\S+ WARN  StartCommand: No users are configured")
                .containsPattern("INFO {2}StartCommand: Stopped$");
    }

    @Test
    void logsAsJsonWhenAsked() throws Exception {
        Process process = run("start", "--set", "log.format=json");
        process.inputReader(StandardCharsets.UTF_8).readLine();
        process.toHandle().destroy();

        assertThat(process.waitFor()).isZero();
        assertThat(process.errorReader().readAllAsString().lines())
                .isNotEmpty()
                .allMatch(line -> line.startsWith("{\"") && line.endsWith("}"));
    }

    @Test
    void logsNoMoreThanItsLevel() throws Exception {
        Process process = run("start", "--set", "log.level=error");
        process.inputReader(StandardCharsets.UTF_8).readLine();
        process.toHandle().destroy();

        assertThat(process.waitFor()).isZero();
        assertThat(process.errorReader().readAllAsString()).isEmpty();
    }

    @Test
    void exitsWithTheStatusOfAFailedStart() throws Exception {
        Process failed = run("start", "--set", "mqtt.port=1");
        Process misused = run("start", "--set", "mqtt.port=x");

        assertThat(failed.waitFor()).isEqualTo(1);
        assertThat(failed.errorReader().readAllAsString()).contains("cannot listen on mqtt");
        assertThat(misused.waitFor()).isEqualTo(2);
        assertThat(misused.errorReader().readAllAsString())
                .startsWith("rotamq: --set: mqtt.port: ");
    }

    private Process run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(FakeBrokerProcess.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("ROTAMQ_"));
        Process process = builder.start();
        processes.add(process);
        return process;
    }
}
