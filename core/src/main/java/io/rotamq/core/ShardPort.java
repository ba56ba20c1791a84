package io.rotamq.core;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.SessionPort;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.GroupPort;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the sessions and groups of one shard reach the others. What is for the shard itself is done
 * at once, unless something waits in its mailbox that must come first.
 */
final class ShardPort implements SessionPort, GroupPort {
    private final Shard shard;
    private final Node node;
    private final Set<Session> awaiting = new LinkedHashSet<>();
    private int durableSessions;

    ShardPort(Shard shard, Node node) {
        this.shard = shard;
        this.node = node;
    }

    @Override
    public int index() {
        return shard.index();
    }

    @Override
    public long now() {
        return shard.now();
    }

    @Override
    public @Nullable Archive archive() {
        return shard.archive();
    }

    @Override
    public void drop(@Nullable Keep keep) {
        Archive archive = shard.archive();
        if (keep != null && archive != null) {
            archive.drop(keep);
        }
    }

    @Override
    public void durableBegins() {
        if (durableSessions++ == 0) {
            node.durableShards().getAndUpdate(bits -> bits | 1L << shard.index());
        }
    }

    @Override
    public void durableEnds() {
        if (--durableSessions == 0) {
            node.durableShards().getAndUpdate(bits -> bits & ~(1L << shard.index()));
        }
    }

    @Override
    public void awaits(Session session, Stored stored) {
        awaiting.add(session);
        if (!stored.isAwaitedBy(shard.index())) {
            shard.post(new Task.Confirmed(stored));
        }
    }

    /** A message is safe that sessions of this shard may wait for. */
    void confirmed() {
        List<Session> waiting = List.copyOf(awaiting);
        awaiting.clear();
        waiting.forEach(Session::proceed);
    }

    @Override
    public CoreSettings settings() {
        return node.settings();
    }

    @Override
    public Meter meter() {
        return shard.meter();
    }

    @Override
    public MemoryBudget memory() {
        return node.memory();
    }

    @Override
    public void deliver(
            Member member,
            Grant grant,
            Message message,
            long epoch,
            @Nullable Hold hold,
            @Nullable Keep keep) {
        Session session = (Session) member.recipient();
        if (session.shard() == shard.index() && !shard.hasMail()) {
            session.deliver(member, grant, message, epoch, hold, keep);
        } else {
            shard.send(
                    session.shard(), new Task.Deliver(member, grant, message, epoch, hold, keep));
        }
    }

    @Override
    public void unclaim(Member member, long epoch) {
        shard.send(member.recipient().shard(), new Task.Unclaim(member, epoch));
    }

    @Override
    public void enqueue(Group group, Message message, @Nullable Keep keep) {
        if (group.owner() == shard.index() && !shard.hasMail()) {
            shard.groupOwner().enqueue(group, message, keep);
        } else {
            shard.send(group.owner(), new Task.Enqueue(group, message, keep));
        }
    }

    @Override
    public void taken(Offer offer) {
        Session holder = (Session) offer.holder();
        shard.send(holder.shard(), new Task.Taken(holder, offer));
    }

    @Override
    public void relieved(Brake brake) {
        Task relieved = new Task.Relieved(brake);
        for (int i = 0; i < node.shards(); i++) {
            shard.send(i, relieved);
        }
    }

    /**
     * Counted as pending before anything else, so that nothing newer overtakes it. At once if the
     * group is of this shard, so that it comes before what waits in the mailbox.
     */
    @Override
    public void giveBack(Group group, List<Pending> messages) {
        for (Pending pending : messages) {
            group.rises(pending.message());
            node.memory().charge(Pending.cost(pending.message()));
        }
        if (group.owner() == shard.index() && !shard.groupOwner().isBusy()) {
            shard.groupOwner().takeBack(group, messages);
        } else {
            shard.send(group.owner(), new Task.TakeBack(group, messages));
        }
    }

    @Override
    public void wantsWork(Group group) {
        if (group.requestsDrain()) {
            shard.send(group.owner(), new Task.Drain(group));
        }
    }

    /** Without affinity any member does, so that one request is enough for all. */
    @Override
    public void wantsWork(Member member) {
        Group group = member.group();
        if (!group.hasAffinity()) {
            wantsWork(group);
        } else if (member.requestsDrain()) {
            shard.send(group.owner(), new Task.Serve(member));
        }
    }

    /** What follows for the key is done later: it may be a delivery to the session at work now. */
    @Override
    public void over(Hold hold) {
        Group group = hold.group();
        if (group.owner() != shard.index() || !shard.groupOwner().releases(hold)) {
            shard.send(group.owner(), new Task.Release(hold));
        }
    }

    @Override
    public void returned(Group group) {
        shard.send(group.owner(), new Task.Returned(group));
    }

    @Override
    public void ended(Group group) {
        shard.send(group.owner(), new Task.Drain(group));
    }
}
