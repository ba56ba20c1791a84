package io.rotamq.server.config;

import static io.rotamq.server.config.Kinds.quoted;

import io.rotamq.server.config.Kind.BadValue;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of value that are numbers with a range: counts, ports, sizes, durations, shares. */
final class Quantities {
    static final long KIB = 1024;
    static final long MIB = 1024 * KIB;
    static final long GIB = 1024 * MIB;

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,18})\\s*([A-Za-z%]*)");
    private static final Map<String, Long> SIZE_UNITS = sizeUnits();
    private static final Map<String, Long> TIME_UNITS = timeUnits();

    private Quantities() {}

    static Kind<Integer> whole(int min, int max) {
        return new Whole(min, max);
    }

    /** A port to listen on; 0 lets the system pick a free one. */
    static Kind<Integer> port() {
        return new Whole(0, 65_535);
    }

    /** A size in bytes: {@code 65536}, {@code 64KiB}. */
    static Kind<Long> size(long min, long max) {
        return new Size(min, max, false);
    }

    /** A size in bytes, or a percentage of the heap: {@code 40%}. */
    static Kind<Long> sizeOrShareOfHeap(long min, long max) {
        return new Size(min, max, true);
    }

    /** A duration of whole milliseconds; a plain number counts seconds. */
    static Kind<Duration> span(Duration min, Duration max) {
        return new Span(min, max);
    }

    private record Whole(int min, int max) implements Kind<Integer> {
        private static final Pattern DIGITS = Pattern.compile("-?\\d+");

        @Override
        public Integer parse(String text, Path base) throws BadValue {
            if (!DIGITS.matcher(text).matches()) {
                throw new BadValue(quoted(text) + " is not a whole number");
            }
            BigInteger value = new BigInteger(text);
            if (value.compareTo(BigInteger.valueOf(min)) < 0
                    || value.compareTo(BigInteger.valueOf(max)) > 0) {
                throw new BadValue(text + " is out of range");
            }
            return value.intValue();
        }

        @Override
        public String allowed() {
            return "a whole number from " + min + " to " + max;
        }
    }

    private record Size(long min, long max, boolean ofHeap) implements Kind<Long> {
        @Override
        public Long parse(String text, Path base) throws BadValue {
            Matcher parts = NUMBER_AND_UNIT.matcher(text);
            if (!parts.matches()) {
                throw new BadValue(quoted(text) + " is not a size");
            }
            long number = Long.parseLong(parts.group(1));
            if (ofHeap && parts.group(2).equals("%")) {
                return shareOfHeap(text, number);
            }
            Long unit = SIZE_UNITS.get(parts.group(2));
            if (unit == null) {
                throw new BadValue(quoted(text) + " is not a size: unknown unit");
            }
            return inRange(text, number, unit, min, max);
        }

        /** The heap is that of this process, so the default follows the machine it runs on. */
        private long shareOfHeap(String text, long percent) throws BadValue {
            if (percent < 1 || percent > 90) {
                throw new BadValue(text + " is out of range");
            }
            return Math.clamp(Runtime.getRuntime().maxMemory() / 100 * percent, min, max);
        }

        @Override
        public String allowed() {
            String range =
                    "a size from "
                            + show(min)
                            + " to "
                            + show(max)
                            + " (plain number: bytes; KiB, MiB, GiB)";
            return ofHeap ? range + ", or 1% to 90% of the heap" : range;
        }

        @Override
        public String show(Long value) {
            return withUnit(value, SIZE_UNITS);
        }
    }

    private record Span(Duration min, Duration max) implements Kind<Duration> {
        @Override
        public Duration parse(String text, Path base) throws BadValue {
            Matcher parts = NUMBER_AND_UNIT.matcher(text);
            if (!parts.matches()) {
                throw new BadValue(quoted(text) + " is not a duration");
            }
            String name = parts.group(2);
            Long unit = name.isEmpty() ? Long.valueOf(1000) : TIME_UNITS.get(name);
            if (unit == null) {
                throw new BadValue(quoted(text) + " is not a duration: unknown unit");
            }
            long number = Long.parseLong(parts.group(1));
            return Duration.ofMillis(inRange(text, number, unit, min.toMillis(), max.toMillis()));
        }

        @Override
        public String allowed() {
            return "a duration from "
                    + show(min)
                    + " to "
                    + show(max)
                    + " (plain number: seconds; ms, s, m, h, d)";
        }

        @Override
        public String show(Duration value) {
            return value.isZero() ? "0s" : withUnit(value.toMillis(), TIME_UNITS);
        }
    }

    private static long inRange(String text, long number, long unit, long min, long max)
            throws BadValue {
        boolean tooMuch = number > Long.MAX_VALUE / unit;
        if (tooMuch || number * unit < min || number * unit > max) {
            throw new BadValue(text + " is out of range");
        }
        return number * unit;
    }

    /** The value in the largest unit that divides it; the units are in descending order. */
    private static String withUnit(long value, Map<String, Long> units) {
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (value >= unit.getValue() && value % unit.getValue() == 0) {
                return value / unit.getValue() + unit.getKey();
            }
        }
        return Long.toString(value);
    }

    private static Map<String, Long> sizeUnits() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("GiB", GIB);
        units.put("MiB", MIB);
        units.put("KiB", KIB);
        units.put("", 1L);
        return units;
    }

    private static Map<String, Long> timeUnits() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("d", 86_400_000L);
        units.put("h", 3_600_000L);
        units.put("m", 60_000L);
        units.put("s", 1_000L);
        units.put("ms", 1L);
        return units;
    }
}
