package io.rotamq.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which groups a rule is about. */
final class PatternOptions {
    @Option(
            names = "--share",
            paramLabel = "PATTERN",
            description = "The share names it applies to; * stands for any characters.")
    private @Nullable String share;

    @Option(
            names = "--filter",
            paramLabel = "PATTERN",
            description =
                    "The topic filters it applies to, as they are written in SUBSCRIBE."
                            + " Without --share and --filter: the default of all groups.")
    private @Nullable String filter;

    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        if (share != null) {
            texts.put("share", share);
        }
        if (filter != null) {
            texts.put("filter", filter);
        }
        return texts;
    }
}
