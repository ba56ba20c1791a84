package io.rotamq.server.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users and their passwords. A password is judged in two steps, because a loop must not wait
 * for the first: {@link #verify} computes the slow hash, on a thread that may wait; {@link
 * #isVerified} then tells what is known, at once. What is remembered of a right password is a keyed
 * digest that means nothing outside this process, one for each user, so that a device that comes
 * back costs nothing.
 *
 * <p>Any thread. The file is looked at again when a password is verified.
 */
final class Users {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);
    private static final long RELOAD_NANOS = 2_000_000_000L;
    private static final String DIGEST = "HmacSHA256";

    private final Path file;
    private final SecretKeySpec key;

    /**
     * Costs a stranger's password the same time as that of a user: names cannot be guessed by it.
     */
    private final PasswordHash nobody = PasswordHash.of(new byte[] {0}, PasswordHash.ITERATIONS);

    private volatile State state;
    private volatile long lookedAt = System.nanoTime();

    /** The users at one time, and which of their passwords were found to be right since. */
    private record State(
            FileTime modified,
            Map<String, PasswordHash> hashes,
            ConcurrentHashMap<String, byte[]> verified) {}

    private Users(Path file, State state) {
        this.file = file;
        this.state = state;
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, DIGEST);
    }

    /**
     * Reads the file.
     *
     * @throws IOException when it cannot be used; the message is for operators
     */
    static Users open(Path file) throws IOException {
        return new Users(file, load(file));
    }

    /** Takes as long as it is meant to take to judge a password. Not on a loop. */
    void verify(String name, byte[] password) {
        refresh();
        State now = state;
        if (isVerified(now, name, password)) {
            return;
        }
        PasswordHash hash = now.hashes().get(name);
        if (hash == null) {
            nobody.matches(password);
        } else if (hash.matches(password)) {
            now.verified().put(name, digest(password));
        }
    }

    /** Whether the file was looked at a moment ago. */
    boolean isUpToDate() {
        return System.nanoTime() - lookedAt < RELOAD_NANOS;
    }

    /** Whether {@link #verify} found this password to be right. */
    boolean isVerified(String name, byte[] password) {
        return isVerified(state, name, password);
    }

    private boolean isVerified(State now, String name, byte[] password) {
        byte[] known = now.verified().get(name);
        return known != null && MessageDigest.isEqual(known, digest(password));
    }

    private byte[] digest(byte[] password) {
        try {
            Mac mac = Mac.getInstance(DIGEST);
            mac.init(key);
            return mac.doFinal(password);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }

    /** A file that is wrong or gone changes nothing: better the users of before than none. */
    private synchronized void refresh() {
        lookedAt = System.nanoTime();
        try {
            if (!Files.getLastModifiedTime(file).equals(state.modified())) {
                state = load(file);
                LOG.info("Read {} users from {}", state.hashes().size(), file);
            }
        } catch (IOException e) {
            LOG.warn("The users stay as they were: {}", e.getMessage());
        }
    }

    private static State load(Path file) throws IOException {
        FileTime modified = Files.getLastModifiedTime(file); // before reading, to miss no change
        return new State(modified, UsersFile.read(file), new ConcurrentHashMap<>());
    }
}
