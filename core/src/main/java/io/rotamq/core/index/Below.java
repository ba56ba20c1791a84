package io.rotamq.core.index;

/** What lies below a node that has anything below it: one node alone, or a fork to several. */
sealed interface Below<V> permits Node, Fork {}
