package io.rotamq.server.net;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Certificates and keys from PEM files. What is wrong with a file is told to the operator. */
final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END ");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemFiles() {}

    /** The certificates of a file, at least one. */
    static X509Certificate[] certificates(Path file) throws IOException {
        try {
            InputStream in = new ByteArrayInputStream(read(file));
            X509Certificate[] found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                            .map(X509Certificate.class::cast)
                            .toArray(X509Certificate[]::new);
            if (found.length == 0) {
                throw new IOException(file + ": no certificate in it");
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": not a PEM file of certificates", e);
        }
    }

    private static byte[] read(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read", e);
        }
    }

    /** The first private key of a file. */
    static PrivateKey privateKey(Path file, @Nullable String password) throws IOException {
        Matcher pem = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IOException(file + ": no private key in it");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
            return switch (pem.group(1).strip()) {
                case "" -> key(file, new PKCS8EncodedKeySpec(der));
                case "ENCRYPTED" -> key(file, decrypt(file, der, password));
                default ->
                        throw new IOException(
                                file
                                        + ": the key is not PKCS#8; convert it with"
                                        + " openssl pkcs8 -topk8");
            };
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": the key is damaged", e);
        }
    }

    private static PKCS8EncodedKeySpec decrypt(Path file, byte[] der, @Nullable String password)
            throws IOException {
        if (password == null) {
            throw new IOException(file + ": the key is encrypted and no password is configured");
        }
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            // PBES2 is a family; the parameters' text is the name of the member.
            String algorithm =
                    info.getAlgName().equals("PBES2")
                            ? info.getAlgParameters().toString()
                            : info.getAlgName();
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm)
                            .generateSecret(new PBEKeySpec(password.toCharArray())),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException(file + ": the key cannot be decrypted with this password", e);
        }
    }

    private static PrivateKey key(Path file, PKCS8EncodedKeySpec spec) throws IOException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException notThisOne) {
                // The format does not say in the open which kind it is: the next one may fit.
            }
        }
        throw new IOException(file + ": neither an RSA, an EC nor an EdDSA key, or damaged");
    }

    /** Fails unless the key belongs to the certificate: files can be caught half replaced. */
    static void checkPair(PrivateKey key, PublicKey certified) throws IOException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "EdDSA";
                };
        try {
            Signature signature = Signature.getInstance(algorithm);
            byte[] text = {1};
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(text);
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the private key does not belong to the certificate", e);
        }
        throw new IOException("the private key does not belong to the certificate");
    }
}
