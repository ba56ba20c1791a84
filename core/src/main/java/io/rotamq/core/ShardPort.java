package io.rotamq.core;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.SessionPort;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.GroupPort;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the sessions and groups of one shard reach the others. What is for the shard itself is done
 * at once, unless something waits in its mailbox that must come first.
 */
final class ShardPort implements SessionPort, GroupPort {
    private final Shard shard;
    private final Node node;

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
            Member member, Grant grant, Message message, long epoch, @Nullable Hold hold) {
        Session session = (Session) member.recipient();
        if (session.shard() == shard.index() && !shard.hasMail()) {
            session.deliver(member, grant, message, epoch, hold);
        } else {
            node.shard(session.shard()).post(new Task.Deliver(member, grant, message, epoch, hold));
        }
    }

    @Override
    public void unclaim(Member member, long epoch) {
        node.shard(member.recipient().shard()).post(new Task.Unclaim(member, epoch));
    }

    @Override
    public void enqueue(Group group, Message message) {
        if (group.owner() == shard.index() && !shard.hasMail()) {
            shard.groupOwner().enqueue(group, message);
        } else {
            node.shard(group.owner()).post(new Task.Enqueue(group, message));
        }
    }

    @Override
    public void taken(Offer offer) {
        Session holder = (Session) offer.holder();
        node.shard(holder.shard()).post(new Task.Taken(holder, offer));
    }

    @Override
    public void relieved(Brake brake) {
        Task relieved = new Task.Relieved(brake);
        for (int i = 0; i < node.shards(); i++) {
            node.shard(i).post(relieved);
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
            node.shard(group.owner()).post(new Task.TakeBack(group, messages));
        }
    }

    @Override
    public void wantsWork(Group group) {
        if (group.requestsDrain()) {
            node.shard(group.owner()).post(new Task.Drain(group));
        }
    }

    /** Without affinity any member does, so that one request is enough for all. */
    @Override
    public void wantsWork(Member member) {
        Group group = member.group();
        if (!group.hasAffinity()) {
            wantsWork(group);
        } else if (member.requestsDrain()) {
            node.shard(group.owner()).post(new Task.Serve(member));
        }
    }

    /** What follows for the key is done later: it may be a delivery to the session at work now. */
    @Override
    public void over(Hold hold) {
        Group group = hold.group();
        if (group.owner() != shard.index() || !shard.groupOwner().releases(hold)) {
            node.shard(group.owner()).post(new Task.Release(hold));
        }
    }

    @Override
    public void returned(Group group) {
        node.shard(group.owner()).post(new Task.Returned(group));
    }

    @Override
    public void ended(Group group) {
        node.shard(group.owner()).post(new Task.Drain(group));
    }
}
