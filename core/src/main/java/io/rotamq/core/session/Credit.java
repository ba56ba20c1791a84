package io.rotamq.core.session;

import io.rotamq.core.strategy.Window;

/**
 * The deliveries that the client of the present connection allows: those that groups on any shard
 * may claim, in the {@link Window}, and those that are spare – neither there nor in use, because
 * something of this session waits for them. Owned by the session's shard.
 */
final class Credit {
    private final Session session;
    private final Window window = new Window();
    private int allowed;
    private int spare;

    Credit(Session session) {
        this.session = session;
    }

    Window window() {
        return window;
    }

    /** A connection begins: all is spare until the window opens. */
    void begin(int credit) {
        allowed = credit;
        spare = credit;
    }

    /** What the resumption of the session left over is there for groups. */
    void open() {
        window.open(spare);
        spare = 0;
    }

    /**
     * The connection is gone; groups are not to know before they have back what they get.
     *
     * @param used credits of deliveries in flight
     * @return claims whose messages are still on their way to this session
     */
    int suspend(int used) {
        int unclaimed = window.suspend() + spare;
        spare = 0;
        return allowed - unclaimed - used;
    }

    void close() {
        window.close();
    }

    /** Takes a credit for something that waits in this session. */
    boolean take() {
        return takeSpare() || window.claim() >= 0;
    }

    boolean takeSpare() {
        if (spare == 0) {
            return false;
        }
        spare--;
        return true;
    }

    /** A credit came back, or was not needed, while something may wait for it here. */
    void addSpare() {
        spare++;
    }

    /** A credit goes to the window. */
    void release() {
        if (window.release()) {
            session.wantWork();
        }
    }

    void releaseSpare() {
        if (session.isOnline()) {
            for (; spare > 0; spare--) {
                release();
            }
        }
    }
}
