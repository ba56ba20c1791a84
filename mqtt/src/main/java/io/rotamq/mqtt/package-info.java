/**
 * MQTT 3.1, 3.1.1 and 5.0 on the wire: the packets, their codec, topic names and filters.
 *
 * <p>This package exists so that everything else can speak of packets and topics without knowing
 * bytes, and so that whatever comes in from the network has been checked completely before anybody
 * else sees it. It depends on Netty's buffers and on nothing else; it has no thread, no socket and
 * no clock.
 */
@NullMarked
package io.rotamq.mqtt;

import org.jspecify.annotations.NullMarked;
