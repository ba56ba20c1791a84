package io.rotamq.scenarios;

import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Members of one group, read in turn by the thread of the test. */
final class Pool {
    private static final Duration LOOK = Duration.ofMillis(2);

    /** A delivery and who got it. */
    record Taken(RawClient member, Received delivery) {
        String text() {
            return delivery.text();
        }
    }

    private final List<RawClient> members;

    private Pool(List<RawClient> members) {
        this.members = members;
    }

    static Pool of(List<RawClient> members) {
        return new Pool(List.copyOf(members));
    }

    static Pool of(RawClient... members) {
        return of(List.of(members));
    }

    /** So many deliveries, whoever gets them; each is acknowledged at once. */
    List<Taken> take(int count) {
        List<Taken> all = new ArrayList<>();
        collect(count, true, all);
        return all;
    }

    /** So many deliveries, whoever gets them, without acknowledging them. */
    List<Taken> hold(int count) {
        List<Taken> all = new ArrayList<>();
        collect(count, false, all);
        return all;
    }

    /** Who gets the next so many deliveries. */
    Set<RawClient> takers(int count) {
        return takersOf(take(count));
    }

    /** The only one who gets the next so many deliveries. */
    RawClient onlyTaker(int count) {
        Set<RawClient> takers = takers(count);
        if (takers.size() != 1) {
            throw new AssertionError(takers.size() + " members got " + count + " messages");
        }
        return takers.iterator().next();
    }

    static Set<RawClient> takersOf(List<Taken> all) {
        Set<RawClient> takers = new LinkedHashSet<>();
        all.forEach(each -> takers.add(each.member()));
        return takers;
    }

    static List<String> textsAt(RawClient member, List<Taken> all) {
        return all.stream().filter(t -> t.member().equals(member)).map(Taken::text).toList();
    }

    static List<String> texts(List<Taken> all) {
        return all.stream().map(Taken::text).toList();
    }

    private void collect(int count, boolean acknowledge, List<Taken> into) {
        long deadline = System.nanoTime() + RawClient.PATIENCE.toNanos();
        while (into.size() < count) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(into.size() + " of " + count + " came: " + texts(into));
            }
            for (RawClient member : members) {
                Received next = into.size() < count ? member.poll(LOOK) : null;
                while (next != null) {
                    deadline = System.nanoTime() + RawClient.PATIENCE.toNanos();
                    into.add(new Taken(member, next));
                    if (acknowledge) {
                        member.acknowledge(next);
                    }
                    next = into.size() < count ? member.poll(LOOK) : null;
                }
            }
        }
    }
}
