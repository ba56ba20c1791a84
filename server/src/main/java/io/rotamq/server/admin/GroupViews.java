package io.rotamq.server.admin;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.share.GroupSnapshot;
import io.rotamq.core.share.GroupSnapshot.ConnectionSnapshot;
import io.rotamq.core.share.GroupSnapshot.MemberSnapshot;
import io.rotamq.core.share.GroupSnapshot.Waiting;
import io.rotamq.core.share.Tally;
import io.rotamq.server.config.SharingRules;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Groups as they stand in JSON; docs/operations.md lists the keys. */
final class GroupViews {
    /** Where a member is: nodes get names when they form a cluster, and until then there is one. */
    private static final String ONLY_NODE = "local";

    private GroupViews() {}

    /** One line of the list of all groups. */
    static Map<String, Object> summary(GroupSnapshot group) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("share", group.shareName());
        view.put("filter", group.filter());
        StrategyName strategy = group.settings().choice().strategy();
        view.put("strategy", strategy.name().toLowerCase(Locale.ROOT));
        view.put("rule", group.settings().rule());
        view.put("owner-shard", group.owner());
        view.put("members", group.members().size());
        view.put("connected", group.connected());
        view.put("cursor", group.cursor() < 0 ? null : group.cursor());
        view.put("next", group.next());
        putCounts(view, group.counts());
        view.put("waiting", waiting(group.waiting()));
        view.put("dropped", drops(group.drops()));
        return view;
    }

    /** Everything about one group. */
    static Map<String, Object> details(GroupSnapshot group) {
        Map<String, Object> view = summary(group);
        view.put("settings", SharingRules.describe(group.settings()));
        view.put("members", group.members().stream().map(GroupViews::member).toList());
        return view;
    }

    private static Map<String, Object> member(MemberSnapshot member) {
        Map<String, Object> view = new LinkedHashMap<>();
        ConnectionSnapshot connection = member.connection();
        view.put("client-id", member.clientId());
        view.put("connected", connection != null);
        if (connection != null) {
            view.put("remote-address", connection.remoteAddress());
            view.put("window", connection.window());
            view.put("window-used", connection.used());
            view.put("socket-full", connection.socketFull());
        }
        view.put("node", ONLY_NODE);
        view.put("shard", member.shard());
        view.put("qos", member.qos());
        view.put("keeps-turn", member.keepsTurn());
        view.put("key-filters", member.keyFilters());
        putCounts(view, member.counts());
        return view;
    }

    private static void putCounts(Map<String, Object> view, Tally.Counts counts) {
        view.put("delivered", counts.delivered());
        view.put("acknowledged", counts.acknowledged());
        view.put("refused", counts.refused());
        view.put("redispatched", counts.redispatched());
    }

    private static Map<String, Object> waiting(Waiting waiting) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("messages", waiting.messages());
        view.put("bytes", waiting.bytes());
        view.put("lines", waiting.lines());
        view.put("longest-line", waiting.longestLine());
        view.put("keys-in-flight", waiting.keysInFlight());
        view.put("publishers-slowed", waiting.behind());
        view.put("dropping-oldest", waiting.dropping());
        return view;
    }

    private static Map<String, Object> drops(Map<DropReason, Long> drops) {
        Map<String, Object> view = new LinkedHashMap<>();
        drops.forEach((reason, count) -> view.put(reason.label(), count));
        return view;
    }
}
