/**
 * What must hold from end to end, over real sockets: the scenarios of sharing on one node (A) and
 * of subscription identifiers and overlapping subscriptions (B). Each display name starts with the
 * scenario's number.
 */
@NullMarked
package io.rotamq.scenarios;

import org.jspecify.annotations.NullMarked;
