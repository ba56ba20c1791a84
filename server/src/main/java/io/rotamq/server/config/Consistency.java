package io.rotamq.server.config;

import io.rotamq.server.config.SecuritySettings.AllowAnonymous;
import io.rotamq.server.config.TlsSettings.ClientCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What no value can be judged for by itself: settings that need each other, files that must be. */
final class Consistency {
    private final Configuration configuration;
    private final Values values;

    private Consistency(Configuration configuration, Values values) {
        this.configuration = configuration;
        this.values = values;
    }

    static void check(Configuration configuration, Values values) throws ConfigurationException {
        Consistency consistency = new Consistency(configuration, values);
        consistency.portsDiffer();
        consistency.tlsIsComplete();
        consistency.strangersAreMeant();
        consistency.fileIsReadable(SecuritySettings.USERS_FILE);
    }

    /** A listener with the settings that place it. */
    private record Place(
            Listener listener, boolean tls, Setting<String> host, Setting<Integer> port) {}

    private Stream<Place> forClients() {
        Listeners all = configuration.listeners();
        return Stream.of(
                        new Place(all.mqtt(), false, Listeners.MQTT_HOST, Listeners.MQTT_PORT),
                        new Place(all.tls(), true, Listeners.TLS_HOST, Listeners.TLS_PORT),
                        new Place(
                                all.websocket(),
                                false,
                                Listeners.WEBSOCKET_HOST,
                                Listeners.WEBSOCKET_PORT),
                        new Place(all.wss(), true, Listeners.WSS_HOST, Listeners.WSS_PORT))
                .filter(place -> place.listener().enabled());
    }

    private Stream<Place> allListeners() {
        Place admin =
                new Place(configuration.admin(), false, AdminSettings.HOST, AdminSettings.PORT);
        return admin.listener().enabled()
                ? Stream.concat(forClients(), Stream.of(admin))
                : forClients();
    }

    private void portsDiffer() throws ConfigurationException {
        Map<Integer, Setting<Integer>> taken = new HashMap<>();
        for (Place place : allListeners().toList()) {
            Setting<Integer> other = taken.put(place.listener().port(), place.port());
            if (other != null && place.listener().port() != 0) {
                throw conflictOfPorts(place.port(), other);
            }
        }
    }

    /** The one that somebody set is at fault, not the one that has its default. */
    private ConfigurationException conflictOfPorts(Setting<Integer> one, Setting<Integer> other) {
        boolean first = values.isSet(one);
        Setting<Integer> blamed = first ? one : other;
        Setting<Integer> innocent = first ? other : one;
        return values.conflict(
                blamed, values.get(blamed) + " is the port of " + innocent.key() + " too");
    }

    private void tlsIsComplete() throws ConfigurationException {
        Listeners all = configuration.listeners();
        if (!all.tls().enabled() && !all.wss().enabled()) {
            return;
        }
        Setting<Boolean> reason =
                all.tls().enabled() ? Listeners.TLS_ENABLED : Listeners.WSS_ENABLED;
        needs(reason, "true", TlsSettings.CERTIFICATE);
        needs(reason, "true", TlsSettings.PRIVATE_KEY);
        ClientCertificate asked = configuration.tls().clientCertificate();
        if (asked != ClientCertificate.NONE) {
            Setting<ClientCertificate> setting = TlsSettings.CLIENT_CERTIFICATE;
            needs(setting, setting.kind().show(asked), TlsSettings.CLIENT_CA);
        }
    }

    private void needs(Setting<?> reason, String value, Setting<Optional<Path>> file)
            throws ConfigurationException {
        if (values.get(file).isEmpty()) {
            throw values.conflict(reason, "is " + value + ", but " + file.key() + " is not set");
        }
        fileIsReadable(file);
    }

    private void fileIsReadable(Setting<Optional<Path>> setting) throws ConfigurationException {
        Optional<Path> file = values.get(setting);
        if (file.isPresent() && !Files.isRegularFile(file.get())) {
            throw values.conflict(setting, "there is no file " + file.get());
        }
        if (file.isPresent() && !Files.isReadable(file.get())) {
            throw values.conflict(setting, "no permission to read " + file.get());
        }
    }

    /** Nobody opens a broker to the network by accident. */
    private void strangersAreMeant() throws ConfigurationException {
        SecuritySettings security = configuration.security();
        boolean certificates =
                configuration.tls().clientCertificate() == ClientCertificate.REQUIRED;
        if (security.usersFile() != null || security.allowAnonymous() == AllowAnonymous.TRUE) {
            return;
        }
        if (security.allowAnonymous() == AllowAnonymous.FALSE && !certificates) {
            throw values.conflict(
                    SecuritySettings.ALLOW_ANONYMOUS,
                    "is false, but there are neither users (security.users-file) nor client"
                            + " certificates: nobody could connect");
        }
        for (Place place : forClients().toList()) {
            boolean known = place.tls() && certificates;
            if (!known && !place.listener().isLoopback()) {
                throw open(place);
            }
        }
    }

    private ConfigurationException open(Place place) {
        Setting<String> general = place.host().fallback();
        Setting<String> blamed =
                general == null || values.isSet(place.host()) ? place.host() : general;
        return values.conflict(
                blamed,
                place.listener().host()
                        + " is not a loopback address, and without users everybody could connect;"
                        + " set security.users-file, or security.allow-anonymous: true if that is"
                        + " meant");
    }
}
