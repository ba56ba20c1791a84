package io.rotamq.server.security;

import io.rotamq.core.port.Identity;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SecuritySettings.AclRule;
import io.rotamq.server.config.SecuritySettings.Action;
import io.rotamq.server.config.SecuritySettings.Permission;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rules mean for one client: placeholders filled in, and only those that concern it. */
record ClientRules(Identity client, List<Rule> rules) {

    /** A rule with the topics that it means for the client. */
    private record Rule(Action action, boolean allow, TopicFilter filter, TopicPattern pattern) {
        boolean concerns(Action asked) {
            return action == Action.ALL || action == asked;
        }
    }

    static ClientRules of(List<AclRule> all, Identity client) {
        List<Rule> rules = new ArrayList<>();
        for (AclRule each : all) {
            if (isFor(each.user(), client.username()) && each.client().matches(client.clientId())) {
                String topic = topic(each, client);
                TopicFilter filter = topic == null ? null : TopicFilter.parse(topic);
                if (filter != null) {
                    boolean allow = each.permission() == Permission.ALLOW;
                    TopicPattern pattern = TopicPattern.of(filter.toString());
                    rules.add(new Rule(each.action(), allow, filter, pattern));
                }
            }
        }
        return new ClientRules(client, List.copyOf(rules));
    }

    boolean mayPublish(TopicName topic) {
        for (Rule rule : rules) {
            if (rule.concerns(Action.PUBLISH) && rule.filter().matches(topic)) {
                return rule.allow();
            }
        }
        return false;
    }

    /** A rule that denies is not to be evaded by asking for more than it names. */
    boolean maySubscribe(TopicFilter filter) {
        TopicPattern asked = TopicPattern.of(filter.toString());
        for (Rule rule : rules) {
            boolean applies =
                    rule.allow() ? rule.pattern().covers(asked) : rule.pattern().overlaps(asked);
            if (rule.concerns(Action.SUBSCRIBE) && applies) {
                return rule.allow();
            }
        }
        return false;
    }

    private static boolean isFor(Glob pattern, @Nullable String user) {
        return user == null ? pattern.equals(Glob.ANY) : pattern.matches(user);
    }

    /** The topics that a rule means for the client; null for none. */
    private static @Nullable String topic(AclRule rule, Identity client) {
        String topic = rule.topic();
        boolean ofUser = topic.contains("%u");
        boolean ofClient = topic.contains("%c");
        String user = client.username();
        if (ofUser && user == null) {
            return null;
        }
        boolean usable =
                (!ofUser || isOneLevel(user)) && (!ofClient || isOneLevel(client.clientId()));
        if (!usable) {
            return rule.permission() == Permission.ALLOW ? null : "#";
        }
        return fill(topic, user == null ? "" : user, client.clientId());
    }

    /**
     * A name that would add levels or wildcards to the topic could reach the topics of others. A
     * rule that allows is void for it, and one that denies denies everything.
     */
    private static boolean isOneLevel(@Nullable String name) {
        return name != null
                && !name.isEmpty()
                && name.chars().noneMatch(c -> c == '/' || c == '+' || c == '#');
    }

    /** In one pass, so that a name that contains a placeholder stays what it is. */
    private static String fill(String topic, String user, String client) {
        StringBuilder filled = new StringBuilder();
        for (int i = 0; i < topic.length(); i++) {
            String rest = topic.substring(i);
            if (rest.startsWith("%u") || rest.startsWith("%c")) {
                filled.append(rest.charAt(1) == 'u' ? user : client);
                i++;
            } else {
                filled.append(topic.charAt(i));
            }
        }
        return filled.toString();
    }
}
