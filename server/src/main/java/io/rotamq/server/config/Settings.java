package io.rotamq.server.config;

import java.util.List;

/**
 * The table of all settings. Reading, checking, showing and documenting go through it; a setting
 * that is not here does not exist.
 */
final class Settings {
    /** In the order of the reference page. */
    static final List<Section> SECTIONS =
            List.of(
                    NodeSettings.SECTION,
                    StoreSettings.SECTION,
                    Listeners.SECTION,
                    TlsSettings.SECTION,
                    SecuritySettings.SECTION,
                    AdminSettings.SECTION,
                    ProtocolSettings.SECTION,
                    LimitSettings.SECTION,
                    SessionSettings.SECTION,
                    SubscriptionSettings.SECTION,
                    SharingSettings.SECTION,
                    RetainedSettings.SECTION,
                    SysSettings.SECTION,
                    LogSettings.SECTION);

    static final List<Setting<?>> ALL =
            SECTIONS.stream().<Setting<?>>flatMap(section -> section.settings().stream()).toList();

    static final Catalogue CATALOGUE = Catalogue.of(ALL);

    private Settings() {}
}
