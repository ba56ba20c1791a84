/** The command line {@code rotamq}: its arguments, its output and its exit statuses. */
@NullMarked
package io.rotamq.server.cli;

import org.jspecify.annotations.NullMarked;
