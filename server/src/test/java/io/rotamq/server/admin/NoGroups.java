package io.rotamq.server.admin;

import io.rotamq.core.share.GroupSnapshot;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SharingRule;
import io.rotamq.server.config.SharingRules;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A broker that nobody subscribed at. */
final class NoGroups implements Sharing {
    @Override
    public void forEachGroup(Consumer<GroupSnapshot> sink) {
        // There is none.
    }

    @Override
    public void forEachName(BiConsumer<String, String> sink) {
        // There is none.
    }

    @Override
    public Optional<GroupSnapshot> group(String shareName, String filter) {
        return Optional.empty();
    }

    @Override
    public SharingRules rules() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void set(SharingRule rule, boolean merged) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean reset(Glob share, Glob filter) {
        return false;
    }
}
