package io.rotamq.core;

/** A delivery of QoS 1 or 2 to a session, from its first PUBLISH to its last acknowledgement. */
final class Exchange {
    final Obligation obligation;
    final ModelSession session;
    final int packetId;
    final int qos;

    /** PUBREC was taken. */
    boolean released;

    /** Its last acknowledgement is being taken. */
    boolean completing;

    /** Its last acknowledgement was taken. */
    boolean completed;

    /** When PUBLISH was sent last. */
    int step;

    /** The connection on which PUBLISH was sent last. */
    Link link;

    /** How often the session had lost a connection when PUBLISH was sent last. */
    int losses;

    Exchange(Obligation obligation, ModelSession session, int packetId, int qos, Link link) {
        this.obligation = obligation;
        this.session = session;
        this.packetId = packetId;
        this.qos = qos;
        this.link = link;
        this.losses = session.losses;
    }

    /** Whether it came to its end, or ended with its session. */
    boolean isDone() {
        return completed || (qos == 2 && session.hasEnded());
    }

    /** Whether the group may have given the message to somebody else. */
    boolean mayHaveMoved() {
        return qos == 1 && (session.hasEnded() || session.losses > losses);
    }

    @Override
    public String toString() {
        return obligation + " as id " + packetId + " qos " + qos + " in " + session;
    }
}
