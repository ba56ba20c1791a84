package io.rotamq.server.security;

import java.util.List;

/**
 * A topic filter as a set of topics that is compared with others: a subscription asks for all
 * topics of its filter, so a rule has to be asked about sets.
 *
 * @param levels the levels of the filter
 */
record TopicPattern(List<String> levels) {
    private static final String ONE = "+";
    private static final String REST = "#";

    static TopicPattern of(String filter) {
        String shortest = filter.equals("+/#") ? REST : filter; // which match the same topics
        return new TopicPattern(List.of(shortest.split("/", -1)));
    }

    /** Whether every topic that the other matches is matched by this one, too. */
    boolean covers(TopicPattern other) {
        if (hidesDollar(other)) {
            return false;
        }
        for (int i = 0; i < levels.size(); i++) {
            String mine = levels.get(i);
            if (mine.equals(REST)) { // which also matches its parent
                return true;
            }
            if (i >= other.levels.size()) {
                return false;
            }
            String theirs = other.levels.get(i);
            if (theirs.equals(REST) || !mine.equals(ONE) && !mine.equals(theirs)) {
                return false;
            }
        }
        return levels.size() == other.levels.size();
    }

    /** Whether there can be a topic that both match. */
    boolean overlaps(TopicPattern other) {
        if (hidesDollar(other) || other.hidesDollar(this)) {
            return false;
        }
        int common = Math.min(levels.size(), other.levels.size());
        for (int i = 0; i < common; i++) {
            String mine = levels.get(i);
            String theirs = other.levels.get(i);
            if (mine.equals(REST) || theirs.equals(REST)) {
                return true;
            }
            if (!mine.equals(ONE) && !theirs.equals(ONE) && !mine.equals(theirs)) {
                return false;
            }
        }
        return levels.size() == other.levels.size()
                || levels.size() == common + 1 && levels.get(common).equals(REST)
                || other.levels.size() == common + 1 && other.levels.get(common).equals(REST);
    }

    /** A wildcard in the first place matches no topic that begins with $. */
    private boolean hidesDollar(TopicPattern other) {
        String first = levels.getFirst();
        return (first.equals(ONE) || first.equals(REST)) && other.levels.getFirst().startsWith("$");
    }
}
