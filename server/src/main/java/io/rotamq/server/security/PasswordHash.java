package io.rotamq.server.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a password: {@code pbkdf2-sha512:iterations:salt:hash}, salt and hash in Base64.
 * To compute it takes a fraction of a second, on purpose.
 */
record PasswordHash(int iterations, byte[] salt, byte[] hash) {
    static final String SCHEME = "pbkdf2-sha512";

    /**
     * Enough to make guessing costly, and little enough for thousands of devices after a restart.
     */
    static final int ITERATIONS = 100_000;

    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    /** A new hash with a salt of its own. */
    static PasswordHash of(byte[] password, int iterations) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations));
    }

    /** Reads the text of a hash; null if it is none. */
    static @Nullable PasswordHash parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4 || !parts[0].equals(SCHEME)) {
            return null;
        }
        try {
            int iterations = Integer.parseInt(parts[1]);
            byte[] salt = Base64.getDecoder().decode(parts[2]);
            byte[] hash = Base64.getDecoder().decode(parts[3]);
            boolean usable =
                    iterations > 0
                            && iterations <= MOST_ITERATIONS
                            && salt.length > 0
                            && hash.length == HASH_BYTES;
            return usable ? new PasswordHash(iterations, salt, hash) : null;
        } catch (IllegalArgumentException e) { // not a number, not Base64
            return null;
        }
    }

    boolean matches(byte[] password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations));
    }

    String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return String.join(
                ":",
                SCHEME,
                Integer.toString(iterations),
                base64.encodeToString(salt),
                base64.encodeToString(hash));
    }

    /** The platform takes characters; Latin-1 gives each byte one, so that any password works. */
    private static byte[] derive(byte[] password, byte[] salt, int iterations) {
        char[] characters = new char[password.length];
        for (int i = 0; i < password.length; i++) {
            characters[i] = (char) (password[i] & 0xFF);
        }
        PBEKeySpec spec = new PBEKeySpec(characters, salt, iterations, HASH_BYTES * 8);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has it", e);
        } finally {
            spec.clearPassword();
        }
    }
}
