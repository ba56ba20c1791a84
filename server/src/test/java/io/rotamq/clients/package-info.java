/**
 * Clients that other people wrote, behind one interface, and what they must be able to do with the
 * broker: the same over every transport that each of them has.
 */
@NullMarked
package io.rotamq.clients;

import org.jspecify.annotations.NullMarked;
