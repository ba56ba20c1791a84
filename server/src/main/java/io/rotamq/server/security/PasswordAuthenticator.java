package io.rotamq.server.security;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * Accepts users whose password was verified, and others as far as the configuration says. It only
 * looks at what is known and so does not hold up the loop: {@link PasswordChecks} come first.
 */
final class PasswordAuthenticator implements Authenticator {
    private static final Result NO_STRANGERS =
            new Result.Refused(ReasonCode.NOT_AUTHORIZED, "a user name is required");
    private static final Result WRONG =
            new Result.Refused(
                    ReasonCode.BAD_USER_NAME_OR_PASSWORD, "unknown user name or wrong password");

    private final @Nullable Users users;
    private final boolean acceptsAnonymous;

    /**
     * An authenticator.
     *
     * @param users null: there are none, and a user name is a claim that nothing rests on
     * @param acceptsAnonymous whether a client needs no user name; one with a verified certificate
     *     needs none anyway
     */
    PasswordAuthenticator(@Nullable Users users, boolean acceptsAnonymous) {
        this.users = users;
        this.acceptsAnonymous = acceptsAnonymous;
    }

    @Override
    public Result authenticate(Connect connect, ConnectionInfo info) {
        String name = connect.username();
        if (users == null || name == null) {
            boolean accepted = acceptsAnonymous || info.certificateSubject() != null;
            return accepted ? Result.ACCEPTED : NO_STRANGERS;
        }
        byte[] password = connect.password();
        boolean right = password != null && users.isVerified(name, password);
        return right ? Result.ACCEPTED : WRONG;
    }
}
