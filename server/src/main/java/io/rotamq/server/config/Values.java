package io.rotamq.server.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The values that were set, read according to their settings; immutable. */
final class Values {
    private static final Origin DEFAULT = new Origin.Default();

    private final Map<Setting<?>, Value<?>> values;

    private Values(Map<Setting<?>, Value<?>> values) {
        this.values = values;
    }

    private record Value<T>(T value, String key, Origin origin) {}

    /** Reads what was assigned; the first value that is not allowed ends it. */
    static Values of(Map<Setting<?>, Raw> assigned) throws ConfigurationException {
        return new Values(Map.of()).with(assigned);
    }

    /** These values, overridden by what an entry of a list assigns. */
    Values with(Map<Setting<?>, Raw> assigned) throws ConfigurationException {
        Map<Setting<?>, Value<?>> all = new HashMap<>(values);
        for (Map.Entry<Setting<?>, Raw> each : assigned.entrySet()) {
            all.put(each.getKey(), read(each.getKey(), each.getValue()));
        }
        return new Values(all);
    }

    /** These values, and others where these say nothing. */
    Values over(Values others) {
        Map<Setting<?>, Value<?>> all = new HashMap<>(others.values);
        all.putAll(values);
        return new Values(all);
    }

    <T> T get(Setting<T> setting) {
        Value<?> value = values.get(setting);
        if (value != null) {
            @SuppressWarnings("unchecked") // read() stores under a setting what its kind returned
            T typed = (T) value.value();
            return typed;
        }
        Setting<T> fallback = setting.fallback();
        return fallback == null ? defaultOf(setting) : get(fallback);
    }

    boolean isSet(Setting<?> setting) {
        return values.containsKey(setting);
    }

    Origin origin(Setting<?> setting) {
        Value<?> value = values.get(setting);
        return value == null ? DEFAULT : value.origin();
    }

    /** A value that is allowed by itself but not together with others. */
    ConfigurationException conflict(Setting<?> setting, String problem) {
        Value<?> value = values.get(setting);
        return value == null
                ? ConfigurationException.at(DEFAULT, setting.key(), problem)
                : ConfigurationException.at(value.origin(), value.key(), problem);
    }

    private static <T> T defaultOf(Setting<T> setting) {
        try {
            return setting.kind().parse(setting.defaultText(), Path.of(""));
        } catch (Kind.BadValue e) {
            throw new IllegalStateException(
                    "default of " + setting.key() + ": " + e.getMessage(), e);
        }
    }

    private static <T> Value<?> read(Setting<T> setting, Raw raw) throws ConfigurationException {
        return switch (raw) {
            case Raw.Table table -> new Value<>(table.entries(), table.key(), table.origin());
            case Raw.Scalar scalar ->
                    new Value<>(parse(setting.kind(), scalar), scalar.key(), scalar.origin());
        };
    }

    private static <T> T parse(Kind<T> kind, Raw.Scalar scalar) throws ConfigurationException {
        try {
            return kind.parse(scalar.text(), scalar.origin().base());
        } catch (Kind.BadValue e) {
            throw ConfigurationException.at(
                    scalar.origin(), scalar.key(), e.getMessage() + "; allowed: " + kind.allowed());
        }
    }
}
