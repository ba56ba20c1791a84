package io.rotamq.server;

import io.rotamq.core.Node;
import io.rotamq.core.port.StoreException;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.GroupSnapshot;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.server.admin.Sharing;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SharingRule;
import io.rotamq.server.config.SharingRules;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share groups of this node and the rules that they obey. Changes are made one at a time, under
 * the monitor; what is set while running outlives the process if the broker stores anything.
 */
final class LiveSharing implements Sharing {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSharing.class);

    private final Node node;
    private final StoredRules stored;
    private volatile SharingRules rules;

    LiveSharing(Node node, SharingRules configured, StoredRules stored) {
        this.node = node;
        this.rules = configured;
        this.stored = stored;
    }

    /** With what was set while earlier processes ran; before the shards work. */
    static LiveSharing restored(Node node, SharingRules configured, StoredRules stored) {
        SharingRules all = configured;
        for (SharingRule rule : stored.read()) {
            try {
                all = all.with(rule, false);
            } catch (ConfigurationException e) {
                throw new StoreException("a stored rule: " + e.getMessage(), e);
            }
        }
        LiveSharing sharing = new LiveSharing(node, configured, stored);
        if (!all.equals(configured)) {
            sharing.apply(all);
        }
        return sharing;
    }

    @Override
    public void forEachGroup(Consumer<GroupSnapshot> sink) {
        node.forEachGroup(group -> sink.accept(group.snapshot()));
    }

    @Override
    public void forEachName(BiConsumer<String, String> sink) {
        node.forEachGroup(group -> sink.accept(group.shareName(), group.filter().toString()));
    }

    @Override
    public Optional<GroupSnapshot> group(String shareName, String filter) {
        TopicFilter parsed = TopicFilter.parse(filter);
        return parsed == null
                ? Optional.empty()
                : Optional.ofNullable(node.group(shareName, parsed)).map(Group::snapshot);
    }

    @Override
    public SharingRules rules() {
        return rules;
    }

    @Override
    public synchronized void set(SharingRule rule, boolean merged) throws ConfigurationException {
        SharingRules changed = rules.with(rule, merged);
        stored.put(changed.running(rule.share(), rule.filter()).orElse(rule));
        apply(changed);
        LOG.info(
                "Rule for share {} and filter {} set: {}",
                rule.share().pattern(),
                rule.filter().pattern(),
                rule.stated());
    }

    @Override
    public synchronized boolean reset(Glob share, Glob filter) {
        Optional<SharingRules> without = rules.without(share, filter);
        if (without.isEmpty()) {
            return false;
        }
        stored.delete(share, filter);
        apply(without.get());
        LOG.info("Rule for share {} and filter {} reset", share.pattern(), filter.pattern());
        return true;
    }

    private void apply(SharingRules changed) {
        node.regroup(changed::settingsOf);
        rules = changed;
    }
}
