package io.rotamq.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How both TLS listeners prove who they are, and whom they want to know.
 *
 * @param certificate the PEM file with the certificate and its chain; null while no listener needs
 *     it
 * @param privateKey the PEM file with its PKCS#8 key; null while no listener needs it
 * @param privateKeyPassword null: the key is not encrypted
 * @param clientCa the PEM file with the authorities that sign clients; null without client
 *     certificates
 * @param clientCertificate whether clients show a certificate
 * @param versions the versions of TLS that are spoken, at least one
 * @param reloadInterval how often to look whether a file has changed; zero: never
 */
public record TlsSettings(
        @Nullable Path certificate,
        @Nullable Path privateKey,
        @Nullable String privateKeyPassword,
        @Nullable Path clientCa,
        ClientCertificate clientCertificate,
        List<TlsVersion> versions,
        Duration reloadInterval) {

    /** Whether a client must, can or cannot show a certificate. */
    public enum ClientCertificate {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    /** A version of TLS. */
    public enum TlsVersion implements Kinds.Spelled {
        V1_2("TLSv1.2"),
        V1_3("TLSv1.3");

        private final String spelling;

        TlsVersion(String spelling) {
            this.spelling = spelling;
        }

        /** The name that the Java platform and OpenSSL use. */
        @Override
        public String spelling() {
            return spelling;
        }
    }

    static final Setting<Optional<Path>> CERTIFICATE =
            Setting.of(
                    "tls.certificate",
                    Kinds.file(),
                    "",
                    "The PEM file with the server's certificate, followed by its chain.");
    static final Setting<Optional<Path>> PRIVATE_KEY =
            Setting.of(
                    "tls.private-key",
                    Kinds.file(),
                    "",
                    "The PEM file with its private key (PKCS#8).");
    static final Setting<String> PRIVATE_KEY_PASSWORD =
            Setting.of(
                    "tls.private-key-password",
                    Kinds.secret(),
                    "",
                    "The password of the private key, if it is encrypted. Never shown. Prefer the"
                        + " environment to the command line, where other users of the machine can"
                        + " read it.");
    static final Setting<Optional<Path>> CLIENT_CA =
            Setting.of(
                    "tls.client-ca",
                    Kinds.file(),
                    "",
                    "The PEM file with the authorities whose client certificates are accepted.");
    static final Setting<ClientCertificate> CLIENT_CERTIFICATE =
            Setting.of(
                    "tls.client-certificate",
                    Kinds.choice(ClientCertificate.class),
                    "none",
                    "Whether clients are asked for a certificate, and refused without one.");
    static final Setting<List<TlsVersion>> VERSIONS =
            Setting.of(
                    "tls.versions",
                    Kinds.choices(TlsVersion.class),
                    "TLSv1.2,TLSv1.3",
                    "The versions of TLS that are spoken.");
    static final Setting<Duration> RELOAD_INTERVAL =
            Setting.of(
                    "tls.reload-interval",
                    Quantities.span(Duration.ZERO, Duration.ofDays(1)),
                    "30s",
                    "How often to look whether certificate, key or authorities have changed; new"
                            + " connections then get the new ones. 0: never.");

    static final Section SECTION =
            new Section(
                    "TLS",
                    "For `tls` and `wss` alike.",
                    List.of(
                            CERTIFICATE,
                            PRIVATE_KEY,
                            PRIVATE_KEY_PASSWORD,
                            CLIENT_CA,
                            CLIENT_CERTIFICATE,
                            VERSIONS,
                            RELOAD_INTERVAL));

    static TlsSettings of(Values values) {
        String password = values.get(PRIVATE_KEY_PASSWORD);
        return new TlsSettings(
                values.get(CERTIFICATE).orElse(null),
                values.get(PRIVATE_KEY).orElse(null),
                password.isEmpty() ? null : password,
                values.get(CLIENT_CA).orElse(null),
                values.get(CLIENT_CERTIFICATE),
                values.get(VERSIONS),
                values.get(RELOAD_INTERVAL));
    }

    /** Without the password: records end up in logs. */
    @Override
    public String toString() {
        return "TlsSettings[certificate=" + certificate + ", versions=" + versions + "]";
    }
}
