package io.rotamq.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsersTest {
    private static final byte[] RIGHT = "correct horse".getBytes(UTF_8);
    private static final byte[] WRONG = "battery staple".getBytes(UTF_8);

    @TempDir Path directory;
    private Path file;

    @BeforeEach
    void writeAUser() throws IOException {
        file = directory.resolve("users");
        UsersFile.set(file, "ali:ce", RIGHT);
    }

    @Test
    void knowsAPasswordOnlyAfterItWasVerified() throws IOException {
        Users users = Users.open(file);
        assertThat(users.isVerified("ali:ce", RIGHT)).isFalse();

        users.verify("ali:ce", RIGHT);

        assertThat(users.isVerified("ali:ce", RIGHT)).isTrue();
        assertThat(users.isVerified("ali:ce", WRONG)).isFalse();
        assertThat(users.isVerified("bob", RIGHT)).isFalse();
    }

    @Test
    void doesNotAcceptWrongPasswordsAndUnknownNames() throws IOException {
        Users users = Users.open(file);

        users.verify("ali:ce", WRONG);
        users.verify("bob", RIGHT);

        assertThat(users.isVerified("ali:ce", WRONG)).isFalse();
        assertThat(users.isVerified("bob", RIGHT)).isFalse();
    }

    @Test
    void noticesAChangeOfTheFileAndForgetsTheOldPassword() throws IOException {
        Users users = Users.open(file);
        users.verify("ali:ce", RIGHT);

        UsersFile.set(file, "ali:ce", WRONG);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        users.verify("ali:ce", WRONG);

        assertThat(users.isVerified("ali:ce", WRONG)).isTrue();
        assertThat(users.isVerified("ali:ce", RIGHT)).isFalse();
    }

    @Test
    void keepsItsUsersWhileTheFileIsUnusable() throws IOException {
        Users users = Users.open(file);
        Files.writeString(file, "nonsense");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));

        users.verify("ali:ce", RIGHT);
        assertThat(users.isVerified("ali:ce", RIGHT)).isTrue();

        Files.delete(file);
        users.verify("ali:ce", RIGHT);
        assertThat(users.isVerified("ali:ce", RIGHT)).isTrue();
    }

    @Test
    void takesPasswordsThatAreNoText() throws IOException {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        UsersFile.set(file, "binary", bytes);
        Users users = Users.open(file);

        users.verify("binary", bytes);
        assertThat(users.isVerified("binary", bytes)).isTrue();
        bytes[255] = 0;
        users.verify("binary", bytes);
        assertThat(users.isVerified("binary", bytes)).isFalse();
    }

    @Test
    void writesAFileThatOthersCannotRead() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(directory.toFile().list()).containsExactly("users");
    }

    @Test
    void givesEachPasswordASaltOfItsOwn() {
        assertThat(PasswordHash.of(RIGHT, 1).text()).isNotEqualTo(PasswordHash.of(RIGHT, 1).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice",
                "alice:secret",
                ":pbkdf2-sha512:1:AAAA:AAAA",
                "alice:pbkdf2-sha512:0:AAAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "alice:pbkdf2-sha512:1:AAAA:AAAA",
                "alice:pbkdf2-sha512:1:!:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "alice:md5:1:AAAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            })
    void namesTheLineThatIsNoUser(String line) throws IOException {
        Files.writeString(file, "# users\n\n" + line + "\n");

        assertThatThrownBy(() -> Users.open(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ":3: not of the form name:hash, as rotamq passwd writes it");
    }

    @Test
    void refusesAUserWhoIsThereTwice() throws IOException {
        String line = Files.readString(file);
        Files.writeString(file, line + line);

        assertThatThrownBy(() -> Users.open(file))
                .hasMessage(file + ":2: the user ali:ce is there twice");
    }
}
