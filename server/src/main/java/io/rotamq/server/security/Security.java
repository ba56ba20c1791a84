package io.rotamq.server.security;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.server.config.SecuritySettings;
import io.rotamq.server.net.Preparation;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What the configuration says about who may do what, in the form that the broker asks for.
 *
 * @param preparation to be run before the authenticator is asked
 */
public record Security(
        Authenticator authenticator, Authorizer authorizer, Preparation preparation) {

    /**
     * Reads the users, if there are any.
     *
     * @throws IOException when their file cannot be used; the message is for operators
     */
    public static Security of(SecuritySettings settings) throws IOException {
        Authorizer authorizer = AccessRules.of(settings.acl());
        Path file = settings.usersFile();
        Users users = file == null ? null : Users.open(file);
        return new Security(
                new PasswordAuthenticator(users, settings.acceptsAnonymous()),
                authorizer,
                users == null ? Preparation.NONE : new PasswordChecks(users));
    }
}
