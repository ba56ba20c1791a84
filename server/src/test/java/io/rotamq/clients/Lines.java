package io.rotamq.clients;

import io.rotamq.clients.Inbox.Delivery;

/** The line that a program prints for each delivery: QoS, retain flag, topic, payload. */
final class Lines {
    static final String MESSAGE = "message";

    private Lines() {}

    /** Adds the delivery that the line tells of; false if it tells of something else. */
    static boolean take(String line, Inbox inbox) {
        String[] parts = line.split("\t", 5);
        if (parts.length < 5 || !parts[0].equals(MESSAGE)) {
            return false;
        }
        int qos = Integer.parseInt(parts[1]);
        inbox.add(new Delivery(parts[3], parts[4], qos, parts[2].equals("1")));
        return true;
    }
}
