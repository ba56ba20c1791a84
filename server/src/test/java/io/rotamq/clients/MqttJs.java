package io.rotamq.clients;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** mqtt.js in a Node process, driven through a script of ours by lines of text. */
final class MqttJs implements ForeignClient {
    private static final Path SCRIPTS = Path.of("src/test/js");

    private final Inbox inbox = new Inbox();
    private final Program program;

    MqttJs(Address address, int protocolVersion) {
        Program.assumeInstalled("node", "./check installs nodejs");
        Assumptions.assumeTrue(
                Files.isDirectory(SCRIPTS.resolve("node_modules/mqtt")),
                "mqtt.js is not installed: ./check does it");
        Certificate certificate = address.certificate();
        List<String> command =
                List.of(
                        "node",
                        SCRIPTS.resolve("client.js").toString(),
                        address.transport().jsUri(address.port()),
                        address.clientId(),
                        String.valueOf(protocolVersion),
                        certificate == null ? "" : certificate.certificate().toString());
        program = new Program(command, line -> Lines.take(line, inbox));
        program.expect("connected");
    }

    @Override
    public void subscribe(String filter, int qos) {
        program.type("subscribe\t%d\t%s".formatted(qos, filter));
        program.expect("done");
    }

    @Override
    public void publish(String topic, String payload, int qos) {
        program.type("publish\t%d\t%s\t%s".formatted(qos, topic, payload));
        program.expect("done");
    }

    @Override
    public Inbox inbox() {
        return inbox;
    }

    @Override
    public void close() {
        program.type("end");
        program.succeed();
    }
}
