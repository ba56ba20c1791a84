package io.rotamq.server.config;

import java.util.regex.Pattern;

/** Writes values as YAML. */
final class YamlText {
    /** Text that means itself wherever it stands, and is not the word for nothing. */
    private static final Pattern PLAIN = Pattern.compile("(?!(?i:null)$)[A-Za-z0-9/][\\w./%-]*");

    private YamlText() {}

    /** The text of one value, in quotes if YAML would otherwise take it for something else. */
    static String scalar(String text) {
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.chars()
                .forEach(
                        c -> {
                            if (c == '"' || c == '\\') {
                                quoted.append('\\').append((char) c);
                            } else if (c < ' ' || c == 0x7F) {
                                quoted.append(String.format("\\x%02x", c));
                            } else {
                                quoted.append((char) c);
                            }
                        });
        return quoted.append('"').toString();
    }
}
