package io.rotamq.testkit;

/** A packet that a client sends; encoded for the protocol level of the connection (3, 4 or 5). */
public interface Outgoing {
    byte[] encode(int level);
}
