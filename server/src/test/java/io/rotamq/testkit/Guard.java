package io.rotamq.testkit;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.core.port.Identity;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The rules of a guarded test broker: one wrong password, one forbidden branch of topics, and one
 * about which it cannot decide.
 */
public final class Guard implements Authorizer {
    public static final String WRONG_PASSWORD = "wrong";
    public static final String FORBIDDEN = "forbidden/";

    /** Judging a publish to a topic below it fails, as code of others may. */
    public static final String FAILING = "failing/";

    /** What is said at every refusal: too long for small clients. */
    private static final String REASON = "because ".repeat(25);

    static Authenticator.Result authenticate(Connect connect, ConnectionInfo info) {
        byte[] wrong = WRONG_PASSWORD.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(connect.password(), wrong)
                ? new Authenticator.Result.Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, REASON)
                : Authenticator.Result.ACCEPTED;
    }

    @Override
    public Decision publish(Identity client, TopicName topic) {
        if (topic.toString().startsWith(FAILING)) {
            throw new IllegalStateException("a failure that a test asked for");
        }
        return decide(topic.toString());
    }

    @Override
    public Decision subscribe(Identity client, TopicFilter filter) {
        return decide(filter.toString());
    }

    private static Decision decide(String topic) {
        return topic.startsWith(FORBIDDEN) && !topic.endsWith("#")
                ? new Decision.Denied(REASON)
                : Decision.ALLOWED;
    }
}
