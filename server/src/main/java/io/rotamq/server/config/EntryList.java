package io.rotamq.server.config;

import io.rotamq.server.config.Kind.BadValue;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The type of a setting that is an ordered list of entries with settings of their own. */
record EntryList(Catalogue entry) implements Kind<List<Raw.Entry>> {

    @Override
    public List<Raw.Entry> parse(String text, Path base) throws BadValue {
        if (text.isEmpty()) {
            return List.of();
        }
        throw new BadValue("can be set in a configuration file only");
    }

    @Override
    public String allowed() {
        return "a list of entries with " + String.join(", ", entry.settings().keySet());
    }

    @Override
    public String show(List<Raw.Entry> value) {
        return value.stream().map(this::entry).collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public String yaml(List<Raw.Entry> value) {
        return show(value);
    }

    private String entry(Raw.Entry each) {
        return entry.settings().entrySet().stream()
                .filter(known -> each.assigned().containsKey(known.getValue()))
                .map(known -> known.getKey() + ": " + text(each.assigned().get(known.getValue())))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String text(@Nullable Raw raw) {
        return raw instanceof Raw.Scalar scalar ? YamlText.scalar(scalar.text()) : "";
    }
}
