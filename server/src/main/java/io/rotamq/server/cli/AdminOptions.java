package io.rotamq.server.cli;

import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.ConfigurationReader;
import io.rotamq.server.config.Listener;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where the admin port of a running broker is. */
final class AdminOptions {
    private static final String DEFAULT = "http://127.0.0.1:8080";

    @Option(
            names = "--admin",
            paramLabel = "URL",
            description = "The admin port of the broker (default: " + DEFAULT + ").")
    private @Nullable String url;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Take the admin port from this configuration file.")
    private @Nullable Path file;

    /** The address is given in a way that leads nowhere; the message is for the operator. */
    static final class BadAddress extends Exception {
        private static final long serialVersionUID = 1L;

        BadAddress(String message) {
            super(message, null, false, false);
        }
    }

    /** The base of all requests, without a slash at its end. */
    URI base(Map<String, String> environment) throws BadAddress {
        if (url != null) {
            return parse(url);
        }
        return file == null ? URI.create(DEFAULT) : configured(file, environment);
    }

    private static URI parse(String text) throws BadAddress {
        try {
            URI uri = new URI(text.replaceFirst("/+$", ""));
            if ("http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The same complaint.
        }
        throw new BadAddress("--admin: \"" + text + "\" is not a URL like " + DEFAULT);
    }

    private static URI configured(Path file, Map<String, String> environment) throws BadAddress {
        try {
            Listener admin =
                    ConfigurationReader.read(file, environment, List.of()).configuration().admin();
            if (!admin.enabled() || admin.port() == 0) {
                throw new BadAddress(file + ": there is no fixed admin port; give it with --admin");
            }
            return URI.create("http://" + reachable(admin.host()) + ":" + admin.port());
        } catch (ConfigurationException e) {
            throw new BadAddress(String.valueOf(e.getMessage()));
        }
    }

    /** All addresses of a machine are reached by one of them. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "[::1]";
            default -> host.contains(":") ? "[" + host + "]" : host;
        };
    }
}
