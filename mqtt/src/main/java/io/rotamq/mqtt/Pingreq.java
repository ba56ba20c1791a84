package io.rotamq.mqtt;

/** A client shows that it is alive. */
public record Pingreq() implements Packet {
    /** The only one that is needed. */
    public static final Pingreq INSTANCE = new Pingreq();
}
