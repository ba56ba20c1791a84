package io.rotamq.core.strategy;

import io.rotamq.core.port.RoutingKey;

/**
 * The routing key of a message.
 *
 * @param rule by which it was found
 * @param hash of the text, 64 bits
 */
record Key(RoutingKey rule, String text, long hash) implements Rendezvous.Suitable {
    /** Order can be kept only by members that acknowledge. */
    @Override
    public boolean suits(Candidate member) {
        return member.grant().qos() > 0 && isWantedBy(member);
    }

    boolean isWantedBy(Candidate member) {
        return member.keys().matches(text);
    }
}
