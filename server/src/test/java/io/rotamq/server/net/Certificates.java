package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that signs itself, with its key, made by the Java platform's keytool. */
final class Certificates {
    private static final char[] PASSWORD = "password".toCharArray();

    final X509Certificate certificate;
    final PrivateKey key;

    private Certificates(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    static Certificates ec(Path folder, String name) {
        return make(folder, name, "EC", "-groupname", "secp256r1");
    }

    static Certificates rsa(Path folder, String name) {
        return make(folder, name, "RSA", "-keysize", "2048");
    }

    private static Certificates make(Path folder, String name, String... algorithm) {
        try {
            Path store = folder.resolve(name + ".p12");
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
            command.addAll(List.of("-genkeypair", "-alias", "a", "-keystore", store.toString()));
            command.addAll(List.of("-storepass", "password", "-dname", "CN=" + name));
            command.addAll(List.of("-validity", "30", "-ext", "san=ip:127.0.0.1", "-keyalg"));
            command.addAll(List.of(algorithm));
            Process keytool = new ProcessBuilder(command).inheritIO().start();
            assertThat(keytool.waitFor()).isZero();
            KeyStore read = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                read.load(in, PASSWORD);
            }
            return new Certificates(
                    (X509Certificate) read.getCertificate("a"),
                    (PrivateKey) read.getKey("a", PASSWORD));
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String certificatePem() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    String encryptedKeyPem(String password) throws GeneralSecurityException, IOException {
        String algorithm = "PBEWithHmacSHA256AndAES_256";
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm)
                        .generateSecret(new PBEKeySpec(password.toCharArray())));
        byte[] encrypted = cipher.doFinal(key.getEncoded());
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        return pem(
                "ENCRYPTED PRIVATE KEY",
                new EncryptedPrivateKeyInfo(parameters, encrypted).getEncoded());
    }

    private static String pem(String kind, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
    }

    /** Writes as a careful operator does, in one step. */
    static void write(Path file, String pem) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), pem);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A client that trusts this server and, if told so, shows a certificate. */
    SSLContext client(Certificates... shown) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        for (Certificates each : shown) {
            own.setKeyEntry("own", each.key, PASSWORD, new Certificate[] {each.certificate});
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
