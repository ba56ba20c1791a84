package io.rotamq.server;

import io.rotamq.mqtt.codec.DecoderLimits;
import io.rotamq.server.config.Configuration;
import io.rotamq.server.config.LimitSettings;
import io.rotamq.server.config.Listener;
import io.rotamq.server.config.TlsSettings;
import io.rotamq.server.net.Endpoint;
import io.rotamq.server.net.Endpoints;
import io.rotamq.server.net.EventLoops;
import io.rotamq.server.net.TlsFiles;
import io.rotamq.server.net.TransportLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates what an operator configured into listeners. */
final class TransportConfiguration {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private TransportConfiguration() {}

    static Endpoints bind(Configuration configuration, EventLoops loops) throws IOException {
        var listeners = configuration.listeners();
        String path = listeners.websocketPath();
        List<Endpoint> wanted = new ArrayList<>();
        add(wanted, "mqtt", listeners.mqtt(), false, null);
        add(wanted, "tls", listeners.tls(), true, null);
        add(wanted, "websocket", listeners.websocket(), false, path);
        add(wanted, "wss", listeners.wss(), true, path);
        return Endpoints.bind(wanted, tls(configuration.tls()), limits(configuration), loops);
    }

    private static void add(
            List<Endpoint> wanted,
            String name,
            Listener listener,
            boolean tls,
            @Nullable String path) {
        if (listener.enabled()) {
            wanted.add(new Endpoint(name, listener.host(), listener.port(), tls, path));
        }
    }

    private static TransportLimits limits(Configuration configuration) {
        LimitSettings limits = configuration.limits();
        return new TransportLimits(
                limits.maxConnections(),
                limits.outboundBuffer(),
                CLOSE_TIMEOUT,
                new DecoderLimits(
                        limits.maxConnectSize(),
                        limits.maxPacketSize(),
                        configuration.mqtt().topicAliasMaximum()));
    }

    private static @Nullable TlsFiles tls(TlsSettings tls) {
        Path certificate = tls.certificate();
        Path key = tls.privateKey();
        if (certificate == null || key == null) {
            return null;
        }
        return new TlsFiles(
                certificate,
                key,
                tls.privateKeyPassword(),
                tls.clientCa(),
                switch (tls.clientCertificate()) {
                    case NONE -> TlsFiles.ClientCertificates.NONE;
                    case OPTIONAL -> TlsFiles.ClientCertificates.OPTIONAL;
                    case REQUIRED -> TlsFiles.ClientCertificates.REQUIRED;
                },
                tls.versions().stream().map(TlsSettings.TlsVersion::spelling).toList(),
                tls.reloadInterval());
    }
}
