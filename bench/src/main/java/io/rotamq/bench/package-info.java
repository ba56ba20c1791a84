/**
 * JMH benchmarks of the hot paths: decode, encode, match, choose a member. What the store allows is
 * measured by a program of its own.
 */
@NullMarked
package io.rotamq.bench;

import org.jspecify.annotations.NullMarked;
