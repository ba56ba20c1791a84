package io.rotamq.server.cli;

/** A process that is {@code rotamq} in all but the broker. */
final class FakeBrokerProcess {
    private FakeBrokerProcess() {}

    public static void main(String[] arguments) {
        new Main(new FakeBroker()).runAndExit(arguments);
    }
}
