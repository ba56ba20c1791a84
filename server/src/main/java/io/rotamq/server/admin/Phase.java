package io.rotamq.server.admin;

/** Where the broker is in its life. */
public enum Phase {
    STARTING,
    READY,
    STOPPING
}
