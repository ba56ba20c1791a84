/**
 * Failures that users of other brokers met in the field, tried on this one. Each test carries the
 * number of its case as a tag; docs/cases.md lists all cases and the test that answers each.
 */
@NullMarked
package io.rotamq.cases;

import org.jspecify.annotations.NullMarked;
