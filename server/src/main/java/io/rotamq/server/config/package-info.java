/**
 * Settings: what an operator can set, where each value came from, and messages that say what is
 * wrong with one.
 */
@NullMarked
package io.rotamq.server.config;

import org.jspecify.annotations.NullMarked;
