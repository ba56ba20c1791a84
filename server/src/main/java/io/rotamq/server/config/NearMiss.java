package io.rotamq.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody may have meant by a name that is not known. */
final class NearMiss {
    private static final int MOST = 3;

    private NearMiss() {}

    /** {@code "; did you mean mqtt.port?"}, or nothing when no name is near. */
    static String suggestion(String name, Collection<String> known) {
        List<String> near = near(name, known);
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }

    private static List<String> near(String name, Collection<String> known) {
        String wanted = plain(name);
        int tolerance = Math.max(1, wanted.length() / 5);
        record Candidate(String name, int distance) {}
        List<Candidate> candidates =
                known.stream()
                        .map(key -> new Candidate(key, distance(wanted, plain(key))))
                        .sorted(Comparator.comparingInt(Candidate::distance))
                        .toList();
        List<String> near =
                candidates.stream()
                        .filter(candidate -> candidate.distance() <= tolerance)
                        .limit(MOST)
                        .map(Candidate::name)
                        .toList();
        return near.isEmpty() ? sameLastPart(wanted, known) : near;
    }

    /** Somebody who writes {@code port} or {@code mqtt.backlog.max-bytes} has the section wrong. */
    private static List<String> sameLastPart(String wanted, Collection<String> known) {
        return known.stream()
                .filter(
                        key ->
                                plain(key.substring(key.lastIndexOf('.') + 1))
                                        .equals(lastPart(wanted)))
                .limit(MOST)
                .toList();
    }

    private static String lastPart(String plain) {
        return plain.substring(plain.lastIndexOf('.') + 1);
    }

    /** Case and the choice between kebab-case, snake_case and camelCase are no difference. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** The number of characters to insert, remove, replace or swap with their neighbour. */
    private static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + (same ? 0 : 1));
                if (swapped(a, b, i, j)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[b.length()];
    }

    private static boolean swapped(String a, String b, int i, int j) {
        return i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
    }
}
