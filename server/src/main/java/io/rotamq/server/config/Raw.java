package io.rotamq.server.config;

import java.util.List;
import java.util.Map;

/** What somebody assigned to a setting, not yet judged. */
sealed interface Raw {

    /** The key as messages show it: {@code mqtt.port}, {@code sharing.rules[2].share}. */
    String key();

    Origin origin();

    /** The text of one value. */
    record Scalar(String key, String text, Origin origin) implements Raw {}

    /** The entries of a list of mappings, such as {@code sharing.rules}; only a file has them. */
    record Table(String key, List<Entry> entries, Origin origin) implements Raw {
        public Table {
            entries = List.copyOf(entries);
        }
    }

    /**
     * One entry of a table.
     *
     * @param name how messages call it: {@code sharing.rules[2]}, counted from 1
     */
    record Entry(String name, Origin origin, Map<Setting<?>, Raw> assigned) {
        public Entry {
            assigned = Map.copyOf(assigned);
        }
    }
}
