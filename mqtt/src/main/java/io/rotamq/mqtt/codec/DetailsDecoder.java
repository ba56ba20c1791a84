package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reason string and user properties, all that acknowledgements have. */
final class DetailsDecoder {
    private static final long ALLOWED = Property.set(Property.REASON_STRING);

    private DetailsDecoder() {}

    static Details decode(Frame frame) throws MqttException {
        PropertyReader properties = new PropertyReader(frame, ALLOWED);
        String reason = null;
        while (properties.next()) {
            reason = frame.string();
        }
        return of(reason, properties.userProperties());
    }

    static Details of(@Nullable String reason, List<UserProperty> userProperties) {
        return reason == null && userProperties.isEmpty()
                ? Details.NONE
                : new Details(reason, userProperties);
    }
}
