/**
 * What matches a topic: the topic trie with the subscriptions and groups in it, the retained
 * messages, and lists that stay cheap to change however long they are. Apart from the decisions so
 * that it can be measured and replaced alone.
 */
@NullMarked
package io.rotamq.core.index;

import org.jspecify.annotations.NullMarked;
