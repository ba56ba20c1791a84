package io.rotamq.core.port;

/**
 * What {@code key_shared} keeps order and affinity by. A message that has none is routed by its
 * publisher's client identifier.
 */
public sealed interface RoutingKey {
    RoutingKey BY_CLIENT_ID = new ClientId();
    RoutingKey BY_TOPIC = new Topic();

    /** The publisher's client identifier. */
    record ClientId() implements RoutingKey {}

    /** The whole topic. */
    record Topic() implements RoutingKey {}

    /**
     * One level of the topic.
     *
     * @param level from 1, the first
     */
    record TopicLevel(int level) implements RoutingKey {}

    /** The value of the first user property of this name. */
    record UserProperty(String name) implements RoutingKey {}
}
