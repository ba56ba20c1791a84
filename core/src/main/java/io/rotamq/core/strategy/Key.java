package io.rotamq.core.strategy;

import io.rotamq.core.port.RoutingKey;

/**
 * The routing key of a message.
 *
 * @param rule by which it was found
 * @param text the key; of one that is too long, something short that stands for it
 * @param hash of the whole text, 64 bits
 */
record Key(RoutingKey rule, String text, long hash, boolean isTooLong)
        implements Rendezvous.Suitable {
    /**
     * A key of more characters keeps its order and its member, but is not kept: every message that
     * waits has its own. Nor is it compared with patterns, which takes as long as both together.
     */
    static final int LONGEST = 256;

    static Key of(RoutingKey rule, String text, long hash) {
        return text.length() <= LONGEST
                ? new Key(rule, text, hash, false)
                : new Key(rule, "…" + Long.toHexString(hash), hash, true);
    }

    /** Order can be kept only by members that acknowledge. */
    @Override
    public boolean suits(Candidate member) {
        return member.grant().qos() > 0 && isWantedBy(member);
    }

    boolean isWantedBy(Candidate member) {
        KeyFilter wanted = member.keys();
        return isTooLong ? wanted.takesEveryKey() : wanted.matches(text);
    }
}
