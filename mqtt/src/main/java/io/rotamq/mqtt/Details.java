package io.rotamq.mqtt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may accompany a reason code: text for humans and user properties. MQTT 5 only; the encoder
 * leaves it out where the peer does not want it or has no room for it.
 */
public record Details(@Nullable String reasonString, List<UserProperty> userProperties) {
    /** Nothing to add. */
    public static final Details NONE = new Details(null, List.of());

    /** Details with a reason string only. */
    public static Details reason(String reasonString) {
        return new Details(reasonString, List.of());
    }
}
