package io.rotamq.server.config;

import io.rotamq.server.config.Kind.BadValue;

import java.nio.file.Path;
import java.util.List;

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
        return value.size() == 1 ? "1 entry" : value.size() + " entries";
    }
}
