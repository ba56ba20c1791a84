/** What outlives the process: brokers that are stopped, killed and started again. */
@NullMarked
package io.rotamq.durability;

import org.jspecify.annotations.NullMarked;
