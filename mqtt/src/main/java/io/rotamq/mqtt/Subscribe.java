package io.rotamq.mqtt;

import java.util.List;

/**
 * A request for subscriptions.
 *
 * @param subscriptionId 1 to 268,435,455; 0 if absent
 * @param requests at least one, in the order in which SUBACK answers them
 */
public record Subscribe(
        int packetId,
        int subscriptionId,
        List<SubscribeRequest> requests,
        List<UserProperty> userProperties)
        implements Packet {}
