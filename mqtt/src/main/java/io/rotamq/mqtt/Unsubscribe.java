package io.rotamq.mqtt;

import java.util.List;

/**
 * A request to end subscriptions.
 *
 * @param filters at least one, in the order in which UNSUBACK answers them; not yet known to be
 *     valid filters
 */
public record Unsubscribe(int packetId, List<String> filters, List<UserProperty> userProperties)
        implements Packet {}
