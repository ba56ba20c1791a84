package io.rotamq.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A list of MQTT 5 properties in wire order, to be sent or as received. */
public final class Props {
    /** One property; the value is a Number, a String, a byte[] or a {@link Pair}. */
    public record Entry(Property property, Object value) {}

    /** A user property. */
    public record Pair(String name, String value) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Bytes raw = new Bytes();

    public static Props of(Property property, Object value) {
        return new Props().with(property, value);
    }

    public Props with(Property property, Object value) {
        entries.add(new Entry(property, value));
        return this;
    }

    public Props user(String name, String value) {
        return with(Property.USER_PROPERTY, new Pair(name, value));
    }

    /** Bytes put behind the other properties as they are: for malformed input. */
    public Props raw(String hex) {
        raw.raw(hex);
        return this;
    }

    public List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    public boolean has(Property property) {
        return entries.stream().anyMatch(e -> e.property() == property);
    }

    public List<Object> all(Property property) {
        return entries.stream().filter(e -> e.property() == property).map(Entry::value).toList();
    }

    public List<Long> numbers(Property property) {
        return all(property).stream().map(v -> ((Number) v).longValue()).toList();
    }

    /** The only value of a numeric property; fails when it is absent or repeated. */
    public long number(Property property) {
        return ((Number) one(property)).longValue();
    }

    public long number(Property property, long whenAbsent) {
        return has(property) ? number(property) : whenAbsent;
    }

    public String text(Property property) {
        return (String) one(property);
    }

    public byte[] binary(Property property) {
        return (byte[]) one(property);
    }

    public List<Pair> users() {
        return all(Property.USER_PROPERTY).stream().map(Pair.class::cast).toList();
    }

    private Object one(Property property) {
        List<Object> values = all(property);
        if (values.size() != 1) {
            throw new AssertionError(property + " occurs " + values.size() + " times in " + this);
        }
        return values.getFirst();
    }

    /** Length prefix and properties. */
    byte[] encode() {
        Bytes body = new Bytes();
        for (Entry entry : entries) {
            body.u8(entry.property().id);
            encode(entry, body);
        }
        byte[] bytes = body.raw(raw.toArray()).toArray();
        return new Bytes().varint(bytes.length).raw(bytes).toArray();
    }

    private static void encode(Entry entry, Bytes to) {
        switch (entry.property().kind) {
            case BYTE -> to.u8(number(entry));
            case SHORT -> to.u16(number(entry));
            case INT -> to.u32(((Number) entry.value()).longValue());
            case VARINT -> to.varint(number(entry));
            case TEXT -> to.text((String) entry.value());
            case BINARY -> to.binary((byte[]) entry.value());
            case PAIR -> {
                Pair pair = (Pair) entry.value();
                to.text(pair.name()).text(pair.value());
            }
        }
    }

    private static int number(Entry entry) {
        return ((Number) entry.value()).intValue();
    }

    @Override
    public String toString() {
        return entries.toString();
    }
}
