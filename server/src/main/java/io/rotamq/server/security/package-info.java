/**
 * Who may connect, and who may publish and subscribe to what: users from a file, rules from the
 * configuration. A package of its own because other ways to know clients will join it.
 */
@NullMarked
package io.rotamq.server.security;

import org.jspecify.annotations.NullMarked;
