package io.rotamq.mqtt;

/** A name and value pair that somebody added to a packet; names may repeat. */
public record UserProperty(String name, String value) {}
