package io.rotamq.core.share;

/**
 * Who publishes: a connection, or the broker itself. What a strategy remembers of a publisher hangs
 * on this object, so that it is gone with the connection and with the last message that waits.
 */
public final class Publisher {
    /** The broker itself. */
    public static final Publisher BROKER = new Publisher("");

    private final String clientId;

    public Publisher(String clientId) {
        this.clientId = clientId;
    }

    /** Empty for the broker itself. */
    public String clientId() {
        return clientId;
    }
}
