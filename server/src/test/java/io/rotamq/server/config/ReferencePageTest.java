package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference page, and the sample file that operators start from. */
class ReferencePageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");
    private static final Path SAMPLE = Path.of("src/main/dist/rotamq.yaml");

    @Test
    void saysWhatTheTableOfSettingsSays() throws Exception {
        if (System.getProperty("reference.write") != null) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, ReferencePage.text());
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/configuration.md is out of date; its first lines say how to write it"
                                + " anew")
                .isEqualTo(ReferencePage.text());
    }

    @Test
    void isAccompaniedByASampleThatChangesNothing(@TempDir Path directory) throws Exception {
        assertThat(Configurations.ofFile(directory, Files.readString(SAMPLE)))
                .isEqualTo(Configurations.of());
    }

    @Test
    void isAccompaniedByASampleWhoseCommentedSettingsAreTheDefaults(@TempDir Path directory)
            throws Exception {
        String uncommented = Files.readString(SAMPLE).replaceAll("(?m)^#(?! \\S)", "");
        Path file = Configurations.write(directory, uncommented);
        Files.createFile(directory.resolve("server.pem"));
        Files.createFile(directory.resolve("server.key"));

        LoadedConfiguration sample = ConfigurationReader.read(file, Map.of(), List.of());
        Configuration defaults = Configurations.of();

        assertThat(sample.settingsSet()).isGreaterThan(30);
        assertThat(sample.configuration().listeners()).isEqualTo(defaults.listeners());
        assertThat(sample.configuration().limits()).isEqualTo(defaults.limits());
        assertThat(sample.configuration().sessions()).isEqualTo(defaults.sessions());
        assertThat(sample.configuration().sharing().rules().defaults())
                .isEqualTo(defaults.sharing().rules().defaults());
        assertThat(sample.configuration().sharing().rules().file()).hasSize(1);
        assertThat(sample.configuration().mqtt()).isEqualTo(defaults.mqtt());
    }
}
