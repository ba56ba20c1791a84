package io.rotamq.server.cli;

import org.jspecify.annotations.Nullable;

/** The version that the build wrote into the jar. */
final class Version {
    private Version() {}

    /** The version, or {@code development} when the classes were not packed. */
    static String text() {
        @Nullable String packed = Version.class.getPackage().getImplementationVersion();
        return packed == null ? "development" : packed;
    }
}
