/** JMH benchmarks of the hot paths: decode, encode, match, choose a member. */
@NullMarked
package io.rotamq.bench;

import org.jspecify.annotations.NullMarked;
