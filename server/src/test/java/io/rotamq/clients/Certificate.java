package io.rotamq.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for 127.0.0.1 that signs itself, made by the JDK's keytool.
 *
 * @param certificate PEM file, also what a client has to trust
 * @param key PEM file with the private key
 */
public record Certificate(Path certificate, Path key, KeyStore store) {
    private static final String ALIAS = "broker";
    private static final String SECRET = "changeit";

    /** Makes one in this directory, under this common name. */
    public static Certificate make(Path directory, String commonName) {
        try {
            Path file = Files.createTempDirectory(directory, "keys").resolve("broker.p12");
            keytool(file, commonName);
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, SECRET.toCharArray());
            }
            Path certificate = pem(file, "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
            byte[] secret = store.getKey(ALIAS, SECRET.toCharArray()).getEncoded();
            Path key = pem(file, "PRIVATE KEY", secret);
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            trust.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
            return new Certificate(certificate, key, trust);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The settings by which a broker uses it. */
    public List<String> settings() {
        return List.of("tls.certificate=" + certificate, "tls.private-key=" + key);
    }

    TrustManagerFactory trust() {
        try {
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A context for clients that trust this certificate and nothing else. */
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust().getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void keytool(Path file, String commonName) throws IOException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process =
                new ProcessBuilder(
                                tool,
                                "-genkeypair",
                                "-alias",
                                ALIAS,
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=" + commonName,
                                "-ext",
                                "san=ip:127.0.0.1,dns:localhost",
                                "-ext",
                                "bc:c",
                                "-keystore",
                                file.toString(),
                                "-storepass",
                                SECRET)
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(output);
        }
    }

    private static Path pem(Path beside, String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        String text = "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, body);
        try {
            return Files.writeString(beside.resolveSibling(label.replace(' ', '-') + ".pem"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
