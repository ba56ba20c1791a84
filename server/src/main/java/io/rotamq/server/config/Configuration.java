package io.rotamq.server.config;

import java.nio.file.Path;

/** Everything that an operator can set, read, checked and immutable. */
public record Configuration(
        NodeSettings node,
        StoreSettings storage,
        Listeners listeners,
        TlsSettings tls,
        Listener admin,
        ProtocolSettings mqtt,
        LimitSettings limits,
        SessionSettings sessions,
        SubscriptionSettings subscriptions,
        SharingSettings sharing,
        RetainedSettings retained,
        SysSettings sys,
        SecuritySettings security,
        LogSettings log) {

    /** Where the store is: a directory of its own, for {@code node.data} may be a mount point. */
    public Path storeDirectory() {
        return node.data().resolve("store");
    }

    static Configuration of(Values values) throws ConfigurationException {
        return new Configuration(
                NodeSettings.of(values),
                StoreSettings.of(values),
                Listeners.of(values),
                TlsSettings.of(values),
                AdminSettings.of(values),
                ProtocolSettings.of(values),
                LimitSettings.of(values),
                SessionSettings.of(values),
                SubscriptionSettings.of(values),
                SharingSettings.of(values),
                RetainedSettings.of(values),
                SysSettings.of(values),
                SecuritySettings.of(values),
                LogSettings.of(values));
    }
}
