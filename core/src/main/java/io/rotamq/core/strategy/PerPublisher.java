package io.rotamq.core.strategy;

/**
 * A strategy that remembers something of each publisher: in the publisher, see {@link Bookmark}.
 */
abstract class PerPublisher implements Strategy {
    private volatile boolean retired;

    @Override
    public final void rosterChanges(Roster from, Roster to) {
        // Bookmarks name places, which do not shift.
    }

    @Override
    public final void retire() {
        retired = true;
    }

    @Override
    public final boolean hasRetired() {
        return retired;
    }
}
