/**
 * Topic names and filters: this package exists so that whoever has one knows it to be valid, and
 * that it is matched the same way wherever it is met.
 */
@NullMarked
package io.rotamq.mqtt.topic;

import org.jspecify.annotations.NullMarked;
