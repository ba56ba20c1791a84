package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pages that say which test proves what, held against the sources of the tests: each test that
 * is named exists, and a test that answers a case carries its number.
 */
class PagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)\\.(\\w+)`");
    private static final Pattern CASE_ROW = Pattern.compile("(?m)^\\| (C\\d+) \\|.*$");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"(C\\d+)\"\\)");

    private final Map<String, String> sources = sources();

    private static Map<String, String> sources() {
        try (Stream<Path> modules = Files.list(ROOT);
                Stream<Path> files = modules.flatMap(PagesTest::testsOf)) {
            return files.collect(
                    Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            PagesTest::read,
                            (one, other) -> one + other));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> testsOf(Path module) {
        Path tests = module.resolve("src/test/java");
        if (!Files.isDirectory(tests)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.toString().endsWith("Test.java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String page(String name) {
        return read(ROOT.resolve("docs").resolve(name));
    }

    /** What stands before a method, from the blank line on; null if there is no such method. */
    private @Nullable String head(String testClass, String method) {
        String source = sources.getOrDefault(testClass, "");
        int at = source.indexOf(" void " + method + "(");
        return at < 0 ? null : source.substring(source.lastIndexOf("\n\n", at), at);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sharing.md", "cases.md"})
    void everyTestThatAPageNamesExists(String name) {
        List<String> missing = new ArrayList<>();
        Matcher test = TEST.matcher(page(name));
        while (test.find()) {
            if (head(test.group(1), test.group(2)) == null) {
                missing.add(test.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyTestThatAnswersACaseCarriesItsNumber() {
        List<String> wrong = new ArrayList<>();
        Matcher row = CASE_ROW.matcher(page("cases.md"));
        while (row.find()) {
            Matcher test = TEST.matcher(row.group());
            while (test.find()) {
                String head = head(test.group(1), test.group(2));
                if (head == null || !head.contains("@Tag(\"" + row.group(1) + "\")")) {
                    wrong.add(row.group(1) + " " + test.group());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyCaseThatATestCarriesIsOnThePage() {
        List<String> listed = new ArrayList<>();
        Matcher row = CASE_ROW.matcher(page("cases.md"));
        while (row.find()) {
            listed.add(row.group(1));
        }
        assertThat(listed).doesNotHaveDuplicates();
        List<String> tagged =
                sources.values().stream()
                        .flatMap(source -> TAG.matcher(source).results())
                        .map(tag -> tag.group(1))
                        .distinct()
                        .toList();
        assertThat(listed).containsAll(tagged);
    }
}
