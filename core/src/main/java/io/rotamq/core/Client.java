package io.rotamq.core;

import io.rotamq.core.durable.Journal;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.Identity;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.Timers.Timer;
import io.rotamq.core.share.Brake;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Pingreq;
import io.rotamq.mqtt.Pingresp;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UnsupportedVersionException;
import io.rotamq.mqtt.Will;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The protocol machine of one network connection, from CONNECT to its end. Owned by the shard of
 * the loop that the connection is registered with.
 */
public final class Client {
    private static final String SECOND_CONNECT = "a second CONNECT on the same connection";
    private static final String NOT_FOR_SERVERS = "a packet that only servers send";
    private static final String NO_AUTHENTICATION = "AUTH without an authentication method";

    private final Shard shard;
    private final Connection connection;
    private final Handshake handshake;
    private final InboundPublishes publishes;
    private final Subscriptions subscriptions;

    private @Nullable Connected connected;
    private @Nullable Timer timer;
    private long lastReceived;
    private boolean readingPaused;

    /** What came before the session was safe, whose CONNACK waits for that; else null. */
    private @Nullable Deque<Packet> early;

    private boolean closed;
    private boolean gone;

    Client(Shard shard, Node node, Connection connection) {
        this.shard = shard;
        this.connection = connection;
        this.handshake = new Handshake(shard, node, connection);
        this.publishes = new InboundPublishes(this, shard);
        this.subscriptions = new Subscriptions(shard, node);
    }

    /** What is known of a client after its CONNECT was accepted. */
    static final class Connected {
        final ProtocolVersion version;
        final Residence residence;
        final Identity identity;
        final Publisher publisher;

        /** Milliseconds of silence that are tolerated; 0 for any. */
        final long patience;

        /** Session Expiry Interval of the CONNECT, in seconds. */
        final long requestedExpiry;

        @Nullable Will will;

        Connected(
                Connect connect,
                Residence residence,
                Identity identity,
                long patience,
                @Nullable Will will) {
            this.version = connect.version();
            this.residence = residence;
            this.identity = identity;
            this.publisher = new Publisher(residence.session.clientId());
            this.patience = patience;
            this.requestedExpiry = connect.properties().sessionExpiry();
            this.will = will;
        }

        Session session() {
            return residence.session;
        }

        boolean isV5() {
            return version.isV5();
        }
    }

    /** Whether the connection was closed from this side: further input is to be dropped. */
    public boolean isClosed() {
        return closed;
    }

    /** A decoded packet. */
    public void receive(Packet packet) {
        if (closed) {
            return;
        }
        lastReceived = shard.now();
        Connected peer = connected;
        if (early != null) {
            early.add(packet);
        } else if (peer != null) {
            receive(packet, peer);
        } else if (packet instanceof Connect connect) {
            connect(connect);
        } else {
            shut();
        }
    }

    private void receive(Packet packet, Connected peer) {
        switch (packet) {
            case Publish publish -> publishes.receive(publish, peer);
            case Puback(var id, var code, var _) -> peer.session().puback(id, code);
            case Pubrec(var id, var code, var _) -> peer.session().pubrec(id, code);
            case Pubrel pubrel -> publishes.release(pubrel, peer);
            case Pubcomp pubcomp -> peer.session().pubcomp(pubcomp.packetId());
            case Subscribe subscribe -> subscriptions.subscribe(subscribe, peer, this);
            case Unsubscribe unsubscribe -> subscriptions.unsubscribe(unsubscribe, peer, this);
            case Pingreq _ -> connection.send(Pingresp.INSTANCE);
            case Disconnect disconnect -> disconnect(disconnect, peer);
            case Connect _ -> violation(ReasonCode.PROTOCOL_ERROR, SECOND_CONNECT);
            case Auth _ -> violation(ReasonCode.PROTOCOL_ERROR, NO_AUTHENTICATION);
            default -> violation(ReasonCode.PROTOCOL_ERROR, NOT_FOR_SERVERS);
        }
    }

    /** Undecodable input: answers with its reason code and closes [MQTT-4.13.1-1]. */
    public void failed(MqttException e) {
        if (closed) {
            return;
        }
        if (connected != null) {
            violation(e.reasonCode(), e.getMessage());
            return;
        }
        shard.meter().count(Counter.PROTOCOL_ERRORS);
        ProtocolVersion version = Handshake.answerVersion(e);
        boolean answers =
                version != null && (version.isV5() || e instanceof UnsupportedVersionException);
        if (version != null && answers) {
            handshake.establish(version);
            refuse(new Handshake.Refusal(e.reasonCode(), e.getMessage()));
        } else {
            shut();
        }
    }

    /** The outbound buffer has room again. */
    public void writable() {
        Connected peer = connected;
        if (peer != null && !closed) {
            peer.session().writable();
        }
    }

    /** The network connection is gone, whoever closed it. */
    public void closed() {
        if (gone) {
            return;
        }
        gone = true;
        closed = true;
        lost(false);
        shard.forget(this);
    }

    /** Gives the client its time for a CONNECT. */
    void awaitConnect() {
        long at = shard.now() + shard.settings().limits().connectTimeout();
        timer = shard.timerQueue().schedule(at, this::shut);
    }

    void send(Packet packet) {
        if (!closed) {
            connection.send(packet);
        }
    }

    /**
     * Answers at once or, if anything was written to the journal since, when that is safe: what a
     * client was told is true after a crash too.
     */
    void send(Packet packet, long since) {
        shard.afterCommit(since, new WhenSafe(() -> send(packet)));
    }

    /** What a client hears once something is safe; without a store that works it must go. */
    private final class WhenSafe implements Journal.Action {
        private final Runnable action;

        WhenSafe(Runnable action) {
            this.action = action;
        }

        @Override
        public void committed() {
            action.run();
        }

        @Override
        public void failed() {
            shut(ReasonCode.UNSPECIFIED_ERROR, "the broker cannot store anything");
        }
    }

    /** The client did what the standard forbids: tells it and closes; its will is published. */
    void violation(ReasonCode reasonCode, String reason) {
        shard.meter().count(Counter.PROTOCOL_ERRORS);
        shut(reasonCode, reason);
    }

    /** Tells a v5 client why, and closes the connection. */
    void shut(ReasonCode reasonCode, String reason) {
        if (closed) {
            return;
        }
        Connected peer = connected;
        if (peer != null && peer.isV5() && early == null) {
            connection.send(new Disconnect(reasonCode, -1, Details.reason(reason), null));
        }
        shut();
    }

    /** The same client connected again [MQTT-3.1.4-3]. */
    void displaced() {
        if (!closed) {
            shutKeeping(ReasonCode.SESSION_TAKEN_OVER);
        }
        lost(true);
    }

    /** Publishes a will that nothing could stop any more when the broker stops. */
    void publishWillAtShutdown() {
        Connected peer = connected;
        Will will = peer == null ? null : peer.will;
        if (peer == null || will == null) {
            return;
        }
        if (will.delay() == 0 || peer.session().expiryInterval() == 0) {
            peer.will = null;
            shard.publishWill(will, peer.publisher);
        }
    }

    /** What slowed publishers lets them go; true if this client waits for no other. */
    boolean relieved(Brake brake) {
        return proceed(publishes.relieved(brake));
    }

    private boolean proceed(boolean free) {
        if (free && readingPaused && !closed) {
            readingPaused = false;
            lastReceived = shard.now();
            connection.setReading(true);
        }
        return free;
    }

    /** A publish of it has become safe, or has failed. */
    void settled() {
        proceed(publishes.settled());
    }

    /** Stops reading from a client that publishes too fast; its keep alive is suspended. */
    void pauseReading() {
        readingPaused = true;
        connection.setReading(false);
    }

    private void connect(Connect connect) {
        long since = shard.written();
        Handshake.Outcome outcome = handshake.perform(connect, this);
        switch (outcome) {
            case Handshake.Refusal refusal -> {
                handshake.establish(connect);
                refuse(refusal);
            }
            case Handshake.Moved(var home, var moved) -> moved(home, moved);
            case Handshake.Entered entered -> entered(connect, entered, since);
        }
    }

    private void refuse(Handshake.Refusal refusal) {
        shard.meter().count(Counter.CONNECTS_REFUSED);
        connection.send(
                new Connack(
                        false, refusal.reasonCode(), ConnackProperties.reason(refusal.reason())));
        shut();
    }

    private void moved(int home, Connect connect) {
        closed = true;
        gone = true;
        cancelTimer();
        connection.moveTo(home, connect);
        shard.forget(this);
    }

    /** The CONNACK of a durable session waits until its state is safe, and all behind it waits. */
    private void entered(Connect connect, Handshake.Entered entered, long since) {
        cancelTimer();
        connected = entered.connected();
        if (since == shard.written()) {
            begin(connect, entered);
            return;
        }
        early = new ArrayDeque<>();
        connection.setReading(false);
        shard.afterCommit(
                since,
                new Journal.Action() {
                    @Override
                    public void committed() {
                        if (!closed) {
                            beginLate(connect, entered);
                        }
                    }

                    @Override
                    public void failed() {
                        if (!closed) {
                            String reason = "the broker cannot store sessions";
                            refuse(new Handshake.Refusal(ReasonCode.SERVER_UNAVAILABLE, reason));
                        }
                    }
                });
    }

    private void beginLate(Connect connect, Handshake.Entered entered) {
        Deque<Packet> packets = early;
        early = null;
        connection.setReading(true);
        begin(connect, entered);
        while (packets != null && !packets.isEmpty()) {
            receive(packets.remove());
        }
    }

    private void begin(Connect connect, Handshake.Entered entered) {
        shard.meter().count(Counter.CONNECTS_ACCEPTED);
        connection.send(entered.connack());
        entered.connected().session().attach(connection, Handshake.allowance(connect));
        if (entered.connected().patience > 0) {
            scheduleKeepAlive(entered.connected().patience);
        }
    }

    /** Checked when due, not moved with each packet [MQTT-3.1.2-22]. */
    private void scheduleKeepAlive(long patience) {
        timer =
                shard.timerQueue()
                        .schedule(lastReceived + patience, () -> checkKeepAlive(patience));
    }

    private void checkKeepAlive(long patience) {
        if (closed) {
            return;
        }
        if (readingPaused) {
            lastReceived = shard.now();
        }
        if (shard.now() - lastReceived >= patience) {
            shard.meter().count(Counter.KEEP_ALIVE_TIMEOUTS);
            shut(ReasonCode.KEEP_ALIVE_TIMEOUT, "nothing received for 1.5 times the keep alive");
        } else {
            scheduleKeepAlive(patience);
        }
    }

    private void disconnect(Disconnect disconnect, Connected peer) {
        long expiry = disconnect.sessionExpiry();
        if (expiry > 0 && peer.requestedExpiry == 0) {
            violation(
                    ReasonCode.PROTOCOL_ERROR,
                    "the session expiry interval was 0 in CONNECT and cannot be raised");
            return;
        }
        if (expiry >= 0) {
            long cap = shard.settings().sessions().maximumExpiry();
            peer.session().expiryInterval(Math.min(expiry, cap));
        }
        if (disconnect.reasonCode() == ReasonCode.SUCCESS) {
            peer.will = null;
        }
        shut();
    }

    private void shut() {
        if (!closed) {
            closed = true;
            connection.close();
            lost(false);
        }
    }

    private void shutKeeping(ReasonCode reasonCode) {
        Connected peer = connected;
        if (peer != null && peer.isV5() && early == null) {
            connection.send(
                    new Disconnect(
                            reasonCode,
                            -1,
                            Details.reason("the same client identifier connected again"),
                            null));
        }
        closed = true;
        connection.close();
    }

    /** The session goes on without this client. */
    private void lost(boolean takenOver) {
        cancelTimer();
        Connected peer = connected;
        connected = null;
        if (peer != null) {
            shard.residences().leave(peer.residence, peer.will, takenOver);
        }
    }

    private void cancelTimer() {
        Timer pending = timer;
        timer = null;
        if (pending != null) {
            pending.cancel();
        }
    }
}
