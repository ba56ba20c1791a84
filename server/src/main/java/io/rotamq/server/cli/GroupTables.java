package io.rotamq.server.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The answers of the broker about share groups, for people. */
final class GroupTables {
    private static final Set<String> NAMES = Set.of("share", "filter", "origin", "name", "rule");

    private GroupTables() {}

    static void list(JsonNode answer, PrintWriter out) {
        List<JsonNode> groups = new ArrayList<>(answer.path("groups").values());
        groups.sort(
                Comparator.comparing((JsonNode group) -> text(group, "share"))
                        .thenComparing(group -> text(group, "filter")));
        Table table =
                new Table(
                        "SHARE",
                        "FILTER",
                        "STRATEGY",
                        "MEMBERS",
                        "CONNECTED",
                        "WAITING",
                        "DELIVERED",
                        "ACKNOWLEDGED",
                        "REDISPATCHED",
                        "DROPPED",
                        "RULE");
        for (JsonNode group : groups) {
            table.add(
                    text(group, "share"),
                    text(group, "filter"),
                    text(group, "strategy"),
                    text(group, "members"),
                    text(group, "connected"),
                    text(group.path("waiting"), "messages"),
                    text(group, "delivered"),
                    text(group, "acknowledged"),
                    text(group, "redispatched"),
                    sum(group.path("dropped")),
                    text(group, "rule"));
        }
        table.print(out);
        out.println(groups.size() + (groups.size() == 1 ? " group" : " groups"));
    }

    static void group(JsonNode group, PrintWriter out) {
        JsonNode waiting = group.path("waiting");
        Table facts = new Table("GROUP", group(text(group, "share"), text(group, "filter")));
        facts.add("strategy", text(group, "strategy"));
        facts.add("rule", text(group, "rule"));
        facts.add("options", options(group.path("settings"), "backlog"));
        facts.add("backlog", options(group.path("settings").path("backlog")));
        facts.add("owner shard", text(group, "owner-shard"));
        if (group.hasNonNull("next")) {
            facts.add("next", text(group, "next"));
        }
        facts.add(
                "waiting",
                text(waiting, "messages")
                        + " messages, "
                        + text(waiting, "bytes")
                        + " bytes, in "
                        + text(waiting, "lines")
                        + " lines, the longest "
                        + text(waiting, "longest-line"));
        if (waiting.path("keys-in-flight").asInt(0) > 0) {
            facts.add("keys", text(waiting, "keys-in-flight") + " in flight");
        }
        if (waiting.path("publishers-slowed").asBoolean(false)) {
            facts.add("publishers", "are slowed");
        }
        if (waiting.path("dropping-oldest").asBoolean(false)) {
            facts.add("overflow", "drops the oldest: slowing publishers did not help in time");
        }
        facts.add("dropped", dropped(group.path("dropped")));
        facts.print(out);
        out.println();
        members(group.path("members"), out);
    }

    private static void members(JsonNode members, PrintWriter out) {
        Table table =
                new Table(
                        "MEMBER",
                        "CONNECTION",
                        "QOS",
                        "WINDOW",
                        "DELIVERED",
                        "ACKNOWLEDGED",
                        "REFUSED",
                        "REDISPATCHED",
                        "SHARD",
                        "KEYS");
        for (JsonNode member : members.values()) {
            table.add(
                    text(member, "client-id"),
                    connection(member),
                    text(member, "qos"),
                    window(member),
                    text(member, "delivered"),
                    text(member, "acknowledged"),
                    text(member, "refused"),
                    text(member, "redispatched"),
                    text(member, "shard"),
                    keys(member.path("key-filters")));
        }
        table.print(out);
    }

    static void rules(JsonNode answer, PrintWriter out) {
        Table table = new Table("SHARE", "FILTER", "FROM", "OPTIONS");
        for (JsonNode rule : answer.path("rules").values()) {
            table.add(text(rule, "share"), text(rule, "filter"), text(rule, "name"), options(rule));
        }
        JsonNode standard = answer.path("default");
        table.add("(others)", "", text(standard, "rule"), options(standard));
        table.print(out);
    }

    /** What was done, and about how many groups. */
    static void changed(String done, JsonNode answer, PrintWriter out) {
        String share = text(answer, "share");
        String filter = text(answer, "filter");
        String which =
                share.equals("*") && filter.equals("*")
                        ? "the default"
                        : "share " + share + ", filter " + filter;
        int groups = answer.path("groups").asInt(0);
        out.println(
                Table.harmless(
                        done
                                + ": "
                                + which
                                + "; "
                                + groups
                                + (groups == 1 ? " group matches" : " groups match")
                                + " now"));
    }

    private static String group(String share, String filter) {
        return "$share/" + share + "/" + filter;
    }

    private static String connection(JsonNode member) {
        if (member.path("connected").asBoolean(false)) {
            return text(member, "remote-address");
        }
        return member.path("keeps-turn").asBoolean(false) ? "away, keeps its turn" : "away";
    }

    private static String window(JsonNode member) {
        if (!member.has("window")) {
            return "-";
        }
        String used = text(member, "window-used") + "/" + text(member, "window");
        return member.path("socket-full").asBoolean(false) ? used + " socket full" : used;
    }

    private static String keys(JsonNode filters) {
        return filters.isEmpty()
                ? "*"
                : filters.values().stream()
                        .map(each -> each.asString(""))
                        .collect(Collectors.joining(" "));
    }

    /**
     * Options as they stand in a file of dotted keys: {@code strategy=sticky
     * backlog.overflow=slow}.
     *
     * @param except those that are shown elsewhere
     */
    private static String options(JsonNode object, String... except) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : object.properties()) {
            String key = each.getKey();
            if (NAMES.contains(key) || List.of(except).contains(key)) {
                continue;
            }
            if (each.getValue().isObject()) {
                each.getValue()
                        .properties()
                        .forEach(inner -> parts.add(key + "." + assignment(inner)));
            } else {
                parts.add(assignment(each));
            }
        }
        return String.join(" ", parts);
    }

    private static String assignment(Map.Entry<String, JsonNode> option) {
        return option.getKey() + "=" + option.getValue().asString("");
    }

    private static String dropped(JsonNode reasons) {
        return reasons.isEmpty()
                ? "none"
                : reasons.properties().stream()
                        .map(each -> each.getValue().asString("") + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static long sum(JsonNode reasons) {
        return reasons.values().stream().mapToLong(each -> each.asLong(0)).sum();
    }

    private static String text(JsonNode object, String key) {
        return object.path(key).asString("");
    }
}
