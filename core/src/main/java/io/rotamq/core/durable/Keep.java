package io.rotamq.core.durable;

/**
 * What keeps a message for one who is owed it: the record that refers to it, a delivery of a
 * session or an entry of a group's backlog. Exactly one place has it and ends it.
 *
 * @param session that is owed it; 0 for a group
 * @param sequence of the delivery in that session
 * @param group that it came through, as {@code $share/...}; empty for none
 */
public record Keep(Stored stored, long session, long sequence, String group) {
    /** In the backlog of a group. */
    public static Keep backlog(Stored stored, String group) {
        return new Keep(stored, 0, 0, group);
    }

    public boolean isBacklog() {
        return session == 0;
    }
}
