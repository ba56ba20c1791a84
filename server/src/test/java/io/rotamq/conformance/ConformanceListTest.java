package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Holds the tests against the lists of statements: no test names a statement that does not exist,
 * and every statement that binds a server has a test, or an entry with the reason in
 * docs/conformance.md.
 */
class ConformanceListTest {
    private static final Path CLASSES = Path.of("target", "test-classes");
    private static final Path PAGE = Path.of("..", "docs", "conformance.md");
    private static final Pattern ROW =
            Pattern.compile("(?m)^([MX][^,]*),(?:\"[^\"]*\"|[^,]*),([a-z]+),");
    private static final Pattern ENTRY =
            Pattern.compile("(?m)^\\| `((?:MQTT|X[35])-[^`]+)` \\| (\\S.*) \\|$");
    private static final Pattern ID = Pattern.compile("MQTT-.*|X[35]-.*");

    /** A standard: its tag, its list, and the heading of its untested statements in the page. */
    enum Standard {
        MQTT5("mqtt5", "mqtt5.csv", "## MQTT 5.0: statements without a test"),
        MQTT311("mqtt311", "mqtt311.csv", "## MQTT 3.1.1: statements without a test");

        private final String tag;
        private final String list;
        private final String heading;

        Standard(String tag, String list, String heading) {
            this.tag = tag;
            this.list = list;
            this.heading = heading;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyStatementHasATestOrAReason(Standard standard) throws IOException {
        Map<String, String> rows = rows(standard);
        Set<String> tested = tested(standard);
        Map<String, String> named = named(standard);
        assertThat(rows.keySet()).as("statements that tests name").containsAll(tested);
        assertThat(rows.keySet()).as("statements that the page names").containsAll(named.keySet());
        assertThat(named.keySet()).as("named although tested").doesNotContainAnyElementsOf(tested);
        Set<String> missing = new TreeSet<>(rows.keySet());
        missing.removeIf(id -> rows.get(id).equals("client"));
        long binding = missing.size();
        missing.removeAll(tested);
        missing.removeAll(named.keySet());
        System.out.printf(
                "Conformance %s: %d statements, %d bind a server; %d tested, %d named with a"
                        + " reason, %d missing%n",
                standard.tag, rows.size(), binding, tested.size(), named.size(), missing.size());
        assertThat(missing).as("neither tested nor named").isEmpty();
    }

    @Test
    void everyTestOfAStatementNamesItsStandardOnce() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Method method : taggedMethods()) {
            Set<String> tags = tags(method);
            boolean one = tags.contains("mqtt5") != tags.contains("mqtt311");
            if (!one && tags.stream().anyMatch(tag -> ID.matcher(tag).matches())) {
                wrong.add(method.toString());
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Id and whom it binds. */
    private static Map<String, String> rows(Standard standard) throws IOException {
        try (InputStream in =
                ConformanceListTest.class.getResourceAsStream("/conformance/" + standard.list)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Map<String, String> rows = new TreeMap<>();
            Matcher matcher = ROW.matcher(text);
            while (matcher.find()) {
                rows.put(matcher.group(1), matcher.group(2));
            }
            assertThat(rows).as(standard.list).hasSize((int) text.lines().count() - 1);
            return rows;
        }
    }

    private static Set<String> tested(Standard standard) throws IOException {
        Set<String> ids = new TreeSet<>();
        for (Method method : taggedMethods()) {
            Set<String> tags = tags(method);
            if (tags.contains(standard.tag)) {
                tags.stream().filter(tag -> ID.matcher(tag).matches()).forEach(ids::add);
            }
        }
        return ids;
    }

    private static Map<String, String> named(Standard standard) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf(standard.heading);
        assertThat(start).as(standard.heading).isNotNegative();
        int end = page.indexOf("\n## ", start + 1);
        Matcher matcher = ENTRY.matcher(page.substring(start, end < 0 ? page.length() : end));
        Map<String, String> named = new TreeMap<>();
        while (matcher.find()) {
            assertThat(named.put(matcher.group(1), matcher.group(2))).as("named twice").isNull();
        }
        return named;
    }

    /** The tags of the method and of its class. */
    private static Set<String> tags(Method method) {
        Set<String> tags = new HashSet<>();
        for (Tag tag : method.getAnnotationsByType(Tag.class)) {
            tags.add(tag.value());
        }
        for (Tag tag : method.getDeclaringClass().getAnnotationsByType(Tag.class)) {
            tags.add(tag.value());
        }
        return tags;
    }

    /** Test methods with tags, of all compiled test classes of this module. */
    private static List<Method> taggedMethods() throws IOException {
        List<Method> methods = new ArrayList<>();
        for (Class<?> each : testClasses()) {
            for (Method method : each.getDeclaredMethods()) {
                boolean test = AnnotationSupport.isAnnotated(method, Testable.class);
                if (test && !tags(method).isEmpty()) {
                    methods.add(method);
                }
            }
        }
        assertThat(methods).isNotEmpty();
        return methods;
    }

    private static List<Class<?>> testClasses() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.map(CLASSES::relativize)
                    .map(Path::toString)
                    .filter(name -> name.endsWith("Test.class"))
                    .map(ConformanceListTest::load)
                    .toList();
        }
    }

    private static Class<?> load(String file) {
        String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
        try {
            return Class.forName(name, false, ConformanceListTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }
}
