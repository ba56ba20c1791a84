package io.rotamq.core;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Identifiers for clients that send none [MQTT-3.2.2-16]: a digest of the node's seed and a count,
 * so that nobody can guess another client's, and a simulation can be repeated. Shared by all
 * shards.
 */
final class ClientIds {
    private static final int BYTES = 12;

    private final long seed;
    private final AtomicLong count = new AtomicLong();

    ClientIds(long seed) {
        this.seed = seed;
    }

    String next(Predicate<String> isTaken) {
        while (true) {
            String id = "auto-" + digest(count.incrementAndGet());
            if (!isTaken.test(id)) {
                return id;
            }
        }
    }

    private String digest(long n) {
        byte[] input = ByteBuffer.allocate(2 * Long.BYTES).putLong(seed).putLong(n).array();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
