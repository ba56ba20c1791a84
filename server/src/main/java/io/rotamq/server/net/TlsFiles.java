package io.rotamq.server.net;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What TLS is made of.
 *
 * @param certificate PEM file with the server's certificate, followed by its chain
 * @param privateKey PEM file with its key in PKCS#8
 * @param password of an encrypted key
 * @param clientCa PEM file with the authorities that sign clients
 * @param clients whether clients show a certificate; {@code clientCa} is needed if they can
 * @param versions for example {@code TLSv1.3}
 * @param reloadInterval how often to look whether a file has changed; zero: never
 */
public record TlsFiles(
        Path certificate,
        Path privateKey,
        @Nullable String password,
        @Nullable Path clientCa,
        ClientCertificates clients,
        List<String> versions,
        Duration reloadInterval) {

    /** Whether a client must, can or cannot show a certificate. */
    public enum ClientCertificates {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    /** Without the password: records end up in logs. */
    @Override
    public String toString() {
        return "TlsFiles[certificate=" + certificate + ", versions=" + versions + "]";
    }
}
