package io.rotamq.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may connect, and who may publish and subscribe to what.
 *
 * @param allowAnonymous who may connect without a user name
 * @param usersFile the names and password hashes; null: there are no users
 * @param acl in the order of the file; the first rule that applies decides. None at all: everything
 *     is allowed; else what no rule allows is denied
 */
public record SecuritySettings(
        AllowAnonymous allowAnonymous, @Nullable Path usersFile, List<AclRule> acl) {
    public SecuritySettings {
        acl = List.copyOf(acl);
    }

    /** Who may connect without a user name. */
    public enum AllowAnonymous {
        /** Everybody while there are no users, and then all listeners must be on loopback. */
        LOOPBACK,
        TRUE,
        FALSE
    }

    /** What a rule is about. */
    public enum Action {
        PUBLISH,
        SUBSCRIBE,
        ALL
    }

    /** What a rule says. */
    public enum Permission {
        ALLOW,
        DENY
    }

    /**
     * One rule.
     *
     * @param user over user names; a client without one is matched by {@code *} only
     * @param client over client identifiers
     * @param topic a topic filter in which {@code %u} and {@code %c} stand for user name and client
     *     identifier
     */
    public record AclRule(
            Glob user, Glob client, Action action, String topic, Permission permission) {}

    /** Whether somebody without a user name may connect. */
    public boolean acceptsAnonymous() {
        return switch (allowAnonymous) {
            case TRUE -> true;
            case FALSE -> false;
            case LOOPBACK -> usersFile == null;
        };
    }

    /** What an operator should know at the start, if there is something. */
    public Optional<String> notice() {
        if (usersFile != null || !acceptsAnonymous()) {
            return Optional.empty();
        }
        return Optional.of(
                allowAnonymous == AllowAnonymous.TRUE
                        ? "Everybody who reaches a listener can connect: no users are configured"
                        : "No users are configured: listening on loopback only, open to everybody"
                                + " on this machine");
    }

    static final Setting<AllowAnonymous> ALLOW_ANONYMOUS =
            Setting.of(
                    "security.allow-anonymous",
                    Kinds.choice(AllowAnonymous.class),
                    "loopback",
                    "Whether clients may connect without a user name. `loopback`: as long as there"
                            + " is no `security.users-file`, and then the broker refuses to start"
                            + " unless every listener is on a loopback address or demands client"
                            + " certificates. `true`: always and from everywhere. `false`: never.");
    static final Setting<Optional<Path>> USERS_FILE =
            Setting.of(
                    "security.users-file",
                    Kinds.file(),
                    "",
                    "The file with user names and password hashes, written by `rotamq passwd`."
                            + " Changes to it are noticed.");

    private static final Setting<Glob> ACL_USER =
            Setting.of("user", Kinds.glob(), "*", "The user names to which the rule applies.");
    private static final Setting<Glob> ACL_CLIENT =
            Setting.of("client", Kinds.glob(), "*", "The client identifiers to which it applies.");
    private static final Setting<Action> ACL_ACTION =
            Setting.of("action", Kinds.choice(Action.class), "all", "What it is about.");
    static final Setting<String> ACL_TOPIC =
            Setting.of(
                    "topic",
                    new TopicFilterText(),
                    "#",
                    "A topic filter; `%u` and `%c` in it stand for user name and client identifier."
                        + " A subscription is allowed if the filter covers it, and denied if the"
                        + " two overlap.");
    private static final Setting<Permission> ACL_PERMISSION =
            Setting.of("permission", Kinds.choice(Permission.class), "allow", "What it says.");
    static final Setting<List<Raw.Entry>> ACL =
            Setting.of(
                    "security.acl",
                    new EntryList(
                            Catalogue.of(
                                    List.of(
                                            ACL_USER,
                                            ACL_CLIENT,
                                            ACL_ACTION,
                                            ACL_TOPIC,
                                            ACL_PERMISSION))),
                    "",
                    "Who may publish and subscribe to what. The first rule that applies decides."
                        + " Without rules everything is allowed; with rules, what none allows is"
                        + " denied.");

    static final Section SECTION =
            new Section(
                    "Security",
                    "Without users the broker accepts everybody, and therefore listens on loopback"
                        + " only: it refuses to start on other addresses unless"
                        + " `security.allow-anonymous: true` says that this is meant. `rotamq"
                        + " passwd FILE USER` asks for a password and writes the user into the file"
                        + " that `security.users-file` names. A client certificate that was"
                        + " verified ([TLS](#tls)) stands in for a user name. Refused are a wrong"
                        + " password (0x86) and a missing user name (0x87).",
                    List.of(ALLOW_ANONYMOUS, USERS_FILE, ACL));

    static SecuritySettings of(Values values) throws ConfigurationException {
        Optional<Path> users = values.get(USERS_FILE);
        List<AclRule> acl = new ArrayList<>();
        for (Raw.Entry entry : values.get(ACL)) {
            acl.add(rule(entry, values.with(entry.assigned()), users.isPresent()));
        }
        return new SecuritySettings(values.get(ALLOW_ANONYMOUS), users.orElse(null), acl);
    }

    private static AclRule rule(Raw.Entry entry, Values own, boolean hasUsers)
            throws ConfigurationException {
        if (!own.isSet(ACL_TOPIC)) {
            throw ConfigurationException.at(entry.origin(), entry.name(), "has no topic");
        }
        AclRule rule =
                new AclRule(
                        own.get(ACL_USER),
                        own.get(ACL_CLIENT),
                        own.get(ACL_ACTION),
                        own.get(ACL_TOPIC),
                        own.get(ACL_PERMISSION));
        boolean restsOnNames = !rule.user().equals(Glob.ANY) || rule.topic().contains("%u");
        if (restsOnNames && !hasUsers) {
            throw ConfigurationException.at(
                    entry.origin(),
                    entry.name(),
                    "is about user names, but without security.users-file anybody can claim any");
        }
        return rule;
    }
}
