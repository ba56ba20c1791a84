package io.rotamq.mqtt;

import org.jspecify.annotations.Nullable;

/** A step of enhanced authentication. The decoder lets none pass that has no method. */
public record Auth(
        ReasonCode reasonCode, @Nullable String method, byte @Nullable [] data, Details details)
        implements Packet {}
