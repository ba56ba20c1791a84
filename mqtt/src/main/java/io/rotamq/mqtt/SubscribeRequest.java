package io.rotamq.mqtt;

/**
 * One filter of a SUBSCRIBE with its options.
 *
 * @param filter as sent: proper UTF-8, but not yet known to be a valid filter, since a bad one
 *     fails alone
 * @param retainHandling 0: send retained messages; 1: only for a new subscription; 2: do not
 */
public record SubscribeRequest(
        String filter, int qos, boolean noLocal, boolean retainAsPublished, int retainHandling) {}
