package io.rotamq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a whole group was handed out and what it finished, by key: the messages of a key must be
 * finished in order and never be in two hands. Their payload is {@code KEY NUMBER}, numbered from
 * 1. Only what was finished by a member whose connection broke may come again, and only as long as
 * it is the last of its key: its acknowledgement may be lost. Called by any thread; members say
 * that they are done before they acknowledge.
 */
public final class KeyLedger {
    private static final int FAULTS_SHOWN = 20;

    private static final class Lane {
        int done;
        @Nullable String doneBy;
        @Nullable String holder;
    }

    private final Map<String, Lane> lanes = new HashMap<>();
    private final Set<String> broken = new HashSet<>();
    private final List<String> faults = new ArrayList<>();
    private int repeated;

    public static String payload(String key, int number) {
        return key + " " + number;
    }

    private static String keyOf(Received delivery) {
        String text = delivery.text();
        return text.substring(0, text.lastIndexOf(' '));
    }

    private static int numberOf(Received delivery) {
        String text = delivery.text();
        return Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1));
    }

    private Lane lane(String key) {
        return lanes.computeIfAbsent(key, k -> new Lane());
    }

    /** A member was handed this. */
    public synchronized void received(String member, Received delivery) {
        String key = keyOf(delivery);
        int number = numberOf(delivery);
        Lane lane = lane(key);
        if (lane.holder != null) {
            fault("%s gets %s while %s holds the key".formatted(member, delivery, lane.holder));
        }
        if (number == lane.done && lane.doneBy != null && broken.contains(lane.doneBy)) {
            repeated++;
        } else if (number != lane.done + 1) {
            fault("%s gets %s after number %d was finished".formatted(member, delivery, lane.done));
        }
        lane.holder = member;
    }

    /** A member is about to acknowledge this. */
    public synchronized void done(String member, Received delivery) {
        Lane lane = lane(keyOf(delivery));
        lane.done = numberOf(delivery);
        lane.doneBy = member;
        lane.holder = null;
    }

    /** The connection of a member is about to break: others may get what it holds. */
    public synchronized void breaks(String member) {
        broken.add(member);
        for (Lane lane : lanes.values()) {
            if (member.equals(lane.holder)) {
                lane.holder = null;
            }
        }
    }

    public synchronized void failed(String member, Throwable cause) {
        fault("%s failed: %s".formatted(member, cause));
    }

    /** The number of the message of this key that was finished last; 0 for none. */
    public synchronized int done(String key) {
        return lane(key).done;
    }

    /** Who finished the last message of this key; null for nobody yet. */
    public synchronized @Nullable String doneBy(String key) {
        return lane(key).doneBy;
    }

    /** Messages that came again though they were finished, as they may. */
    public synchronized int repeated() {
        return repeated;
    }

    /** So many messages of each key were finished, all in order, and none was in two hands. */
    public synchronized void mustHaveFinished(List<String> keys, int each) {
        assertThat(faults).isEmpty();
        assertThat(keys).as("keys of which %d are finished", each).allMatch(k -> done(k) == each);
    }

    private void fault(String what) {
        if (faults.size() < FAULTS_SHOWN) {
            faults.add(what);
        }
    }
}
