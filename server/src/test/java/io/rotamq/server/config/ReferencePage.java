package io.rotamq.server.config;

import java.util.Map;

/** Writes {@code docs/configuration.md} from the table of settings. */
final class ReferencePage {
    private static final String INTRO =
            """
            # Configuration

            <!-- Generated from the table of settings. After a change there, write it anew with
                 mvn -pl server -am test -Dtest=ReferencePageTest -Dsurefire.failIfNoSpecifiedTests=false -Dreference.write
                 from the root of the source. -->

            RotaMQ runs without any configuration. What is to be different is set in a file, in the environment or on the
            command line; of these the later ones win.

            | place | form |
            |---|---|
            | `rotamq.yaml`, given with `--config FILE` | `mqtt:` with `port: 1884` below it, or `mqtt.port: 1884` |
            | environment | `ROTAMQ_MQTT_PORT=1884`: upper case, dots and dashes become underscores |
            | command line | `--set mqtt.port=1884`; `--data DIR` for `node.data` |

            `rotamq config check FILE` says whether a file is right. `rotamq config show`, with the options of `start`, shows every
            value and where it came from. A mistake stops the start with exit status 2 and one message that names the place, the key,
            the value and what is allowed.

            Durations are written `500ms`, `30s`, `5m`, `2h`, `7d`; a plain number counts seconds. Sizes are written `64KiB`, `1MiB`,
            `2GiB`; a plain number counts bytes. Relative paths count from the directory of the file in which they stand; those from the
            environment and the command line from the working directory. Lists of words are written as in YAML, or with commas.

            Environment variables that begin with `ROTAMQ_` and set nothing are refused, so that a misspelt one does not go unnoticed.
            Exempt are `ROTAMQ_HOME`, `ROTAMQ_JAVA_HOME` and `ROTAMQ_JAVA_OPTS`, which belong to the launcher, and those that
            Kubernetes sets for a Service named `rotamq`.
            """;

    private ReferencePage() {}

    static String text() {
        StringBuilder page = new StringBuilder(INTRO);
        for (Section section : Settings.SECTIONS) {
            page.append("\n## ").append(section.title()).append("\n\n");
            if (!section.intro().isEmpty()) {
                page.append(section.intro()).append("\n\n");
            }
            page.append("| key | default | allowed | meaning |\n|---|---|---|---|\n");
            section.settings().forEach(setting -> page.append(row(setting.key(), setting)));
            section.settings().forEach(setting -> appendEntries(setting, page));
        }
        return page.toString();
    }

    private static void appendEntries(Setting<?> setting, StringBuilder page) {
        if (setting.kind() instanceof EntryList list) {
            page.append("\nEach entry of `").append(setting.key()).append("` has\n\n");
            page.append("| key | default | allowed | meaning |\n|---|---|---|---|\n");
            for (Map.Entry<String, Setting<?>> each : list.entry().settings().entrySet()) {
                page.append(entryRow(each.getKey(), each.getValue()));
            }
        }
    }

    private static String row(String key, Setting<?> setting) {
        Setting<?> fallback = setting.fallback();
        String standard =
                fallback == null ? code(setting.defaultText()) : "as " + code(fallback.key());
        String allowed =
                setting.kind() instanceof EntryList
                        ? "a list, see below"
                        : setting.kind().allowed();
        return cells(key, standard, allowed, setting.doc());
    }

    /** An option that the broker has as a whole too is described there. */
    private static String entryRow(String key, Setting<?> setting) {
        Setting<?> general = setting.fallback() == null ? setting : setting.fallback();
        if (Settings.ALL.contains(general)) {
            return cells(key, "as " + code(general.key()), "as there", "As there.");
        }
        String standard =
                setting.equals(SecuritySettings.ACL_TOPIC)
                        ? "required"
                        : code(setting.defaultText());
        return cells(key, standard, setting.kind().allowed(), setting.doc());
    }

    private static String cells(String key, String standard, String allowed, String doc) {
        String row = "| " + code(key) + " | " + standard + " | " + allowed + " | " + doc + " |\n";
        return row.replace("|  |", "| |");
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }
}
