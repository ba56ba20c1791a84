package io.rotamq.core.strategy;

import java.util.List;

/** What a strategy decided about one message, and why: the explanation of a delivery. */
public sealed interface Verdict {
    /** Who could not take it, in the order in which they were asked. */
    List<Passed> passedOver();

    record Passed(Candidate member, PassOver reason) {}

    record Chosen(Candidate member, List<Passed> passedOver) implements Verdict {}

    /** Its owner is there but full, and affinity and order win: the message waits for it. */
    record Awaits(Candidate owner, List<Passed> passedOver) implements Verdict {}

    /** No member takes messages of this routing key: it is skipped. */
    record KeyFiltered() implements Verdict {
        @Override
        public List<Passed> passedOver() {
            return List.of();
        }
    }

    /** No member can take the message now. */
    record Nobody(List<Passed> passedOver) implements Verdict {}
}
