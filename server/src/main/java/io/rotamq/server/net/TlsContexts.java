package io.rotamq.server.net;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context for the next handshake. A thread of its own looks at the files now and then; when
 * their content has changed, new handshakes get a new context, while open connections keep what
 * they have negotiated. Files that are unusable, perhaps because they are being replaced right now,
 * leave the old context in place: that is reported once for each such content, and tried again when
 * it changes.
 */
final class TlsContexts {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);

    private final TlsFiles files;
    private final TransportCounters counters;
    private final ScheduledExecutorService watch;
    private volatile SslContext current;

    /** Of the content that was tried last; guarded by this. */
    private byte[] tried;

    private TlsContexts(
            TlsFiles files, TransportCounters counters, SslContext first, byte[] content) {
        this.files = files;
        this.counters = counters;
        this.current = first;
        this.tried = content;
        this.watch =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("rotamq-tls-reload").factory());
    }

    /** Reads the files and begins to watch them. */
    static TlsContexts load(TlsFiles files, TransportCounters counters) throws IOException {
        byte[] content = fingerprint(files);
        TlsContexts contexts = new TlsContexts(files, counters, build(files), content);
        long millis = files.reloadInterval().toMillis();
        if (millis > 0) {
            contexts.watch.scheduleWithFixedDelay(
                    contexts::reload, millis, millis, TimeUnit.MILLISECONDS);
        }
        return contexts;
    }

    SslContext current() {
        return current;
    }

    /** Takes over the files if they have changed. */
    synchronized void reload() {
        try {
            byte[] content = fingerprint(files);
            if (Arrays.equals(content, tried)) {
                return;
            }
            tried = content;
            current = build(files);
            counters.tlsReloads.increment();
            LOG.info("TLS: new connections use the changed {}", files.certificate());
        } catch (IOException | RuntimeException e) { // would end the watch for good
            counters.failedTlsReloads.increment();
            LOG.error("TLS: changed files are not usable, the old ones stay: {}", e.getMessage());
        }
    }

    void stop() {
        watch.shutdownNow();
    }

    private static SslContext build(TlsFiles files) throws IOException {
        PrivateKey key = PemFiles.privateKey(files.privateKey(), files.password());
        X509Certificate[] chain = PemFiles.certificates(files.certificate());
        PemFiles.checkPair(key, chain[0].getPublicKey());
        SslContextBuilder builder =
                SslContextBuilder.forServer(key, chain)
                        .sslProvider(SslProvider.JDK)
                        .protocols(files.versions())
                        .clientAuth(clientAuth(files.clients()));
        Path clientCa = files.clientCa();
        if (files.clients() != TlsFiles.ClientCertificates.NONE) {
            if (clientCa == null) {
                throw new IOException("TLS: client certificates are wanted, but no authority is");
            }
            builder.trustManager(PemFiles.certificates(clientCa));
        }
        return builder.build();
    }

    private static ClientAuth clientAuth(TlsFiles.ClientCertificates clients) {
        return switch (clients) {
            case NONE -> ClientAuth.NONE;
            case OPTIONAL -> ClientAuth.OPTIONAL;
            case REQUIRED -> ClientAuth.REQUIRE;
        };
    }

    /** Of the files' content: times of change are coarse and survive some ways of copying. */
    private static byte[] fingerprint(TlsFiles files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            add(digest, files.certificate());
            add(digest, files.privateKey());
            add(digest, files.clientCa());
            return digest.digest();
        } catch (GeneralSecurityException impossible) { // every Java platform has it
            throw new IllegalStateException(impossible);
        }
    }

    private static void add(MessageDigest digest, @Nullable Path file) {
        if (file == null) {
            return;
        }
        try {
            digest.update(Files.readAllBytes(file));
        } catch (IOException e) {
            digest.update((byte) 0); // a missing file is a content, too, reported by build
        }
    }
}
