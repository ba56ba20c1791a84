/** The HTTP port for operators: health and metrics. */
@NullMarked
package io.rotamq.server.admin;

import org.jspecify.annotations.NullMarked;
