package io.rotamq.core.session;

import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Pending;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a session gives back to its groups at one time: each group gets its messages in one piece,
 * so that nothing newer is given out between two of them. Used by the session's shard.
 */
final class Returns {
    private final SessionPort port;
    private final Map<Group, List<Pending>> byGroup = new LinkedHashMap<>();

    Returns(SessionPort port) {
        this.port = port;
    }

    void add(Member member, Pending pending) {
        if (pending.offer() == null) { // an offered one may yet be resumed by the member itself
            member.tally().countRedispatched();
        }
        byGroup.computeIfAbsent(member.group(), group -> new ArrayList<>()).add(pending);
    }

    void send() {
        byGroup.forEach(port::giveBack);
    }
}
