package io.rotamq.clients;

import java.util.ArrayList;
import java.util.List;

/**
 * Mosquitto's command line clients: a mosquitto_sub for each subscription, a mosquitto_pub for each
 * publish.
 */
final class Mosquitto implements ForeignClient {
    private final Address address;
    private final int version;
    private final Inbox inbox = new Inbox();
    private final List<Program> subscribers = new ArrayList<>();

    Mosquitto(Address address, int version) {
        Program.assumeInstalled("mosquitto_sub", "./check installs mosquitto-clients");
        this.address = address;
        this.version = version;
    }

    @Override
    public void subscribe(String filter, int qos) {
        // Line-buffered, because the word about the SUBACK is not flushed otherwise.
        List<String> command = new ArrayList<>(List.of("stdbuf", "-oL"));
        command.addAll(command("mosquitto_sub", filter, qos));
        String id = address.clientId() + "-" + subscribers.size();
        command.addAll(List.of("-i", id, "-d", "-F", Lines.MESSAGE + "\t%q\t%r\t%t\t%p"));
        Program program = new Program(command, line -> Lines.take(line, inbox));
        subscribers.add(program);
        program.expect("Subscribed");
    }

    @Override
    public void publish(String topic, String payload, int qos) {
        List<String> command = command("mosquitto_pub", topic, qos);
        command.addAll(List.of("-m", payload));
        try (Program program = new Program(command, line -> false)) {
            program.succeed();
        }
    }

    @Override
    public Inbox inbox() {
        return inbox;
    }

    @Override
    public void close() {
        subscribers.forEach(Program::close);
    }

    private List<String> command(String program, String topic, int qos) {
        List<String> command = new ArrayList<>(List.of(program, "-h", "127.0.0.1"));
        command.addAll(List.of("-p", String.valueOf(address.port()), "-V", versionName()));
        command.addAll(List.of("-t", topic, "-q", String.valueOf(qos)));
        Certificate certificate = address.certificate();
        if (certificate != null) {
            command.addAll(List.of("--cafile", certificate.certificate().toString()));
        }
        return command;
    }

    private String versionName() {
        return version == 5 ? "mqttv5" : "mqttv311";
    }
}
