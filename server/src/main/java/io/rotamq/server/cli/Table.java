package io.rotamq.server.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows for people, in columns as wide as they have to be. What clients chose, such as their
 * identifiers, is printed without control characters, which a terminal would obey.
 */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... titles) {
        rows.add(List.of(titles));
    }

    void add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(harmless(cell.toString()));
        }
        rows.add(row);
    }

    void print(PrintWriter out) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    static String harmless(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            int type = Character.getType(c);
                            boolean acts = type == Character.CONTROL || type == Character.FORMAT;
                            if (acts) {
                                shown.append("\\u").append("%04x".formatted(c));
                            } else {
                                shown.appendCodePoint(c);
                            }
                        });
        return shown.toString();
    }
}
