package io.rotamq.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings from the environment: {@code ROTAMQ_MQTT_PORT} sets {@code mqtt.port}. A variable with
 * our prefix that sets nothing is an error, because a misspelt one would be ignored in silence;
 * those that the launcher uses are not, nor those that Kubernetes gives every container when a
 * Service is called {@code rotamq}.
 */
final class EnvironmentVariables {
    static final String PREFIX = "ROTAMQ_";

    private static final List<String> OF_THE_LAUNCHER =
            List.of("ROTAMQ_HOME", "ROTAMQ_JAVA_HOME", "ROTAMQ_JAVA_OPTS");

    // With a value, so that somebody who writes ROTAMQ_PORT=1884 is told of mqtt.port.
    private static final Pattern OF_KUBERNETES =
            Pattern.compile(
                    "ROTAMQ_(SERVICE_(HOST|PORT)(_\\w+)?=.*|PORT(_\\d+_\\w+)?=(tcp|udp|sctp)://.*|"
                            + "PORT_\\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)=.*)");

    private EnvironmentVariables() {}

    static Map<Setting<?>, Raw> read(Map<String, String> environment, Catalogue catalogue)
            throws ConfigurationException {
        Map<String, Setting<?>> byVariable = new LinkedHashMap<>();
        catalogue.settings().values().forEach(each -> byVariable.put(each.variable(), each));
        Map<Setting<?>, Raw> assigned = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : new TreeMap<>(environment).entrySet()) {
            String variable = each.getKey();
            @Nullable Setting<?> setting = byVariable.get(variable);
            if (setting != null) {
                Origin origin = new Origin.Environment(variable);
                assigned.put(setting, new Raw.Scalar(setting.key(), each.getValue(), origin));
            } else if (variable.startsWith(PREFIX) && !isForSomebodyElse(each)) {
                throw new ConfigurationException(
                        new Origin.Environment(variable).describe()
                                + ": unknown setting"
                                + NearMiss.suggestion(variable, byVariable.keySet()));
            }
        }
        return assigned;
    }

    private static boolean isForSomebodyElse(Map.Entry<String, String> variable) {
        return OF_THE_LAUNCHER.contains(variable.getKey())
                || OF_KUBERNETES.matcher(variable.getKey() + "=" + variable.getValue()).matches();
    }
}
