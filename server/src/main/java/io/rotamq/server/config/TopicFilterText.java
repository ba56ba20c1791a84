package io.rotamq.server.config;

import static io.rotamq.server.config.Kinds.quoted;

import io.rotamq.mqtt.topic.TopicFilter;
import java.nio.file.Path;

/** A topic filter, kept as text because placeholders in it are filled in for each client. */
record TopicFilterText() implements Kind<String> {
    @Override
    public String parse(String text, Path base) throws BadValue {
        if (TopicFilter.parse(text) == null) {
            throw new BadValue(quoted(text) + " is not a topic filter");
        }
        return text;
    }

    @Override
    public String allowed() {
        return "a topic filter, in which %u and %c stand for user name and client identifier";
    }
}
