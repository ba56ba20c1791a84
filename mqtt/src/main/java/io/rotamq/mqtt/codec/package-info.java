/**
 * From bytes to packets and back: this package exists so that whatever comes in from the network
 * has been checked completely before anybody else sees it, by code that has no thread, no socket
 * and no clock.
 */
@NullMarked
package io.rotamq.mqtt.codec;

import org.jspecify.annotations.NullMarked;
