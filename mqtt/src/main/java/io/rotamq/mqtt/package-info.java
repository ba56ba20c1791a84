/**
 * The MQTT protocol as data: packets, their codec, topic names, topic filters and share names. It
 * knows nothing about brokers, so that any side of a connection can be built or tested with it.
 */
@NullMarked
package io.rotamq.mqtt;

import org.jspecify.annotations.NullMarked;
