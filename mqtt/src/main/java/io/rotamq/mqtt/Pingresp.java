package io.rotamq.mqtt;

/** The answer to a PINGREQ. */
public record Pingresp() implements Packet {
    /** The only one that is needed. */
    public static final Pingresp INSTANCE = new Pingresp();
}
