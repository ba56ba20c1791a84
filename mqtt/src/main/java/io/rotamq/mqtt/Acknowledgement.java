package io.rotamq.mqtt;

/** One of the four packets by which a PUBLISH of QoS 1 or 2 is acknowledged. */
public sealed interface Acknowledgement extends Packet permits Puback, Pubrec, Pubrel, Pubcomp {
    /** The identifier of the PUBLISH, 1 to 65,535. */
    int packetId();

    /** The outcome; SUCCESS from an MQTT 3 client. */
    ReasonCode reasonCode();

    /** What came with the reason code. */
    Details details();
}
