/**
 * What clients and servers say to each other in MQTT 3.1, 3.1.1 and 5.0: this package exists so
 * that everything else can speak of packets without knowing how they look as bytes.
 */
@NullMarked
package io.rotamq.mqtt;

import org.jspecify.annotations.NullMarked;
