package io.rotamq.core.strategy;

/**
 * The present connection of a session, for those who look at it from outside.
 *
 * @param remoteAddress of the client
 * @param window deliveries of QoS 1 and 2 that may be unfinished at a time
 */
public record Attachment(String remoteAddress, int window) {}
