package io.rotamq.server.config;

import java.util.List;

/** The HTTP port for operators. It knows no users: who can reach it can read and change. */
final class AdminSettings {
    static final Setting<Boolean> ENABLED =
            Setting.of(
                    "admin.enabled",
                    Kinds.flag(),
                    "true",
                    "Listen for HTTP requests of operators.");
    static final Setting<String> HOST =
            Setting.of(
                    "admin.host",
                    Kinds.host(),
                    "127.0.0.1",
                    "The address to listen on. Requests are not authenticated, and can change rules"
                            + " of share groups: open it to trusted networks only.");
    static final Setting<Integer> PORT =
            Setting.of("admin.port", Quantities.port(), "8080", "The port; 0 picks a free one.");

    static final Section SECTION =
            new Section(
                    "Admin port",
                    "`/health/live`, `/health/ready`, `/metrics` (Prometheus text format),"
                            + " `/groups` and `/sharing/rules`, which `rotamq groups` uses.",
                    List.of(ENABLED, HOST, PORT));

    private AdminSettings() {}

    static Listener of(Values values) {
        return Listeners.listener(values, ENABLED, HOST, PORT);
    }
}
