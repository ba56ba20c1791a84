package io.rotamq.server.admin;

import io.rotamq.core.share.GroupSnapshot;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SharingRule;
import io.rotamq.server.config.SharingRules;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What operators see of share groups and change about them. Called on any thread. */
public interface Sharing {

    /** Calls {@code sink} with every group as it is about now, in no particular order. */
    void forEachGroup(Consumer<GroupSnapshot> sink);

    /** Calls {@code sink} with share name and topic filter of every group. */
    void forEachName(BiConsumer<String, String> sink);

    /** The group of that identity, if it has a session. */
    Optional<GroupSnapshot> group(String shareName, String filter);

    /** The rules in force. */
    SharingRules rules();

    /**
     * Sets a rule, as {@link SharingRules#with} says. When this returns the next publish obeys.
     *
     * @throws ConfigurationException when there are too many rules
     * @throws io.rotamq.core.port.StoreException when it cannot be stored; nothing is changed then
     */
    void set(SharingRule rule, boolean merged) throws ConfigurationException;

    /**
     * Takes back what was set while running for these patterns; false if nothing was.
     *
     * @throws io.rotamq.core.port.StoreException when that cannot be stored
     */
    boolean reset(Glob share, Glob filter);
}
