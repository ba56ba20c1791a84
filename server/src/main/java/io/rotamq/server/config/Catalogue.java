package io.rotamq.server.config;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys that may be written at one place: in the file, or in an entry of a list in it. */
final class Catalogue {
    private final Map<String, Setting<?>> byKey = new LinkedHashMap<>();

    private Catalogue() {}

    static Catalogue of(List<Setting<?>> settings) {
        return of(settings, Setting::key);
    }

    /**
     * The keys of an entry of a list. What is an option of the whole broker too is written there
     * without the prefix that the list already says.
     */
    static Catalogue ofEntry(String prefix, List<Setting<?>> settings) {
        return of(
                settings,
                setting -> {
                    String key = setting.key();
                    return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
                });
    }

    private static Catalogue of(List<Setting<?>> settings, Function<Setting<?>, String> key) {
        Catalogue catalogue = new Catalogue();
        for (Setting<?> setting : settings) {
            if (catalogue.byKey.put(key.apply(setting), setting) != null) {
                throw new IllegalStateException("two settings named " + key.apply(setting));
            }
        }
        return catalogue;
    }

    @Nullable Setting<?> find(String key) {
        return byKey.get(key);
    }

    /** Whether settings lie below that key. */
    boolean isSection(String key) {
        String prefix = key + ".";
        return byKey.keySet().stream().anyMatch(known -> known.startsWith(prefix));
    }

    Map<String, Setting<?>> settings() {
        return byKey;
    }

    /** What to tell about a key that nobody knows: the fact, and what may have been meant. */
    String unknown(String key) {
        if (isSection(key)) {
            return "holds settings and is none itself; allowed: " + String.join(", ", below(key));
        }
        Set<String> known = new LinkedHashSet<>(byKey.keySet());
        byKey.keySet().forEach(each -> addSections(each, known));
        return "unknown setting" + NearMiss.suggestion(key, known);
    }

    private List<String> below(String section) {
        return byKey.keySet().stream().filter(known -> known.startsWith(section + ".")).toList();
    }

    private static void addSections(String key, Set<String> known) {
        for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
            known.add(key.substring(0, dot));
        }
    }
}
