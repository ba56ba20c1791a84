package io.rotamq.core.strategy;

/** Why a member could not take a message. */
public enum PassOver {
    DISCONNECTED,
    WINDOW_FULL,
    SOCKET_FULL,
    TOO_LARGE,
    /** It gets nothing that it has to acknowledge, and the group's order rests on that. */
    QOS_TOO_LOW;

    static PassOver of(long refusal) {
        if (refusal == Window.OFFLINE) {
            return DISCONNECTED;
        }
        return refusal == Window.BLOCKED ? SOCKET_FULL : WINDOW_FULL;
    }
}
