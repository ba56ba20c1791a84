/** The HTTP port for operators: health, metrics, share groups and their rules. */
@NullMarked
package io.rotamq.server.admin;

import org.jspecify.annotations.NullMarked;
