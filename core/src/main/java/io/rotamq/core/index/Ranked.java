package io.rotamq.core.index;

/** What has a place that nothing else in the same {@link Ranks} has, and keeps it. */
public interface Ranked {
    /** Later comers have higher ones. */
    long place();
}
