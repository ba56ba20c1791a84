package io.rotamq.server.security;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A file of users: lines {@code name:hash}; empty ones and those that begin with # do not count.
 * The name is all that precedes the hash, so it can have colons.
 */
public final class UsersFile {
    private static final int COLONS_IN_HASH = 3;

    private UsersFile() {}

    /**
     * Reads the users.
     *
     * @throws IOException when it cannot; the message names file, line and reason
     */
    static Map<String, PasswordHash> read(Path file) throws IOException {
        Map<String, PasswordHash> users = new LinkedHashMap<>();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                add(file + ":" + number + ": ", line, users);
            }
        }
        return users;
    }

    /**
     * Whether the broker could use the file.
     *
     * @throws IOException when it could not; the message names file, line and reason
     */
    public static void check(Path file) throws IOException {
        read(file);
    }

    /**
     * Adds a user or gives one another password; the file is made if there is none. It is replaced
     * in one step: a broker that reads it meanwhile sees the old or the new one.
     */
    public static void set(Path file, String name, byte[] password) throws IOException {
        if (name.isEmpty()
                || name.startsWith("#")
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new IOException(
                    "a user name is not empty, does not begin with # and has no control"
                            + " characters");
        }
        Map<String, PasswordHash> users = Files.exists(file) ? read(file) : new LinkedHashMap<>();
        users.put(name, PasswordHash.of(password, PasswordHash.ITERATIONS));
        write(file, users);
    }

    private static void write(Path file, Map<String, PasswordHash> users) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Path written =
                Files.createTempFile(
                        directory,
                        ".users",
                        "",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(
                    written,
                    users.entrySet().stream()
                            .map(user -> user.getKey() + ":" + user.getValue().text() + "\n")
                            .collect(Collectors.joining()));
            if (Files.exists(file)) { // who could read it before still can
                Files.setPosixFilePermissions(written, Files.getPosixFilePermissions(file));
            }
            Files.move(
                    written,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private static Iterable<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IOException(file + ": the file is not UTF-8 text", e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot read the users: " + e.getMessage(), e);
        }
    }

    private static void add(String where, String line, Map<String, PasswordHash> users)
            throws IOException {
        int end = line.length();
        for (int i = 0; i <= COLONS_IN_HASH && end >= 0; i++) {
            end = line.lastIndexOf(':', end - 1);
        }
        PasswordHash hash = end <= 0 ? null : PasswordHash.parse(line.substring(end + 1));
        if (hash == null) {
            throw new IOException(where + "not of the form name:hash, as rotamq passwd writes it");
        }
        if (users.put(line.substring(0, end), hash) != null) {
            throw new IOException(where + "the user " + line.substring(0, end) + " is there twice");
        }
    }
}
