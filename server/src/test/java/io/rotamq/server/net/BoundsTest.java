package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Strangers cost little and not for long. */
class BoundsTest {
    private static final Duration SOON = Rig.CONNECT_TIMEOUT.plusSeconds(3);

    @AutoClose private static final Rig rig = Rig.start();

    @Test
    void closesConnectionsThatNeverSayConnect() {
        List<RawClient> silent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            silent.add(rig.open());
        }
        RawClient halting = rig.open().send("10 20 00 04 4D");
        rig.client().ping();
        silent.forEach(client -> client.expectClosed(SOON));
        halting.expectClosed(SOON);
        rig.client().ping();
    }

    @Test
    void closesWebSocketsThatAreNeverOpened() {
        RawClient silent = rig.closing(RawClient.connect(rig.port("websocket")));
        RawClient halting = rig.closing(RawClient.connect(rig.port("websocket")));
        halting.send("GET /mqtt HTTP/1.1\r\nHost: x\r\nUpgr".getBytes(StandardCharsets.US_ASCII));
        silent.expectClosed(SOON);
        halting.expectClosed(SOON);
    }

    @Test
    void takesNoMemoryForAnnouncedLengths() {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        List<RawClient> strangers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            boolean publish = i % 2 == 0;
            strangers.add(
                    rig.open()
                            .send(
                                    publish
                                            ? "30 FF FF FF 7F"
                                            : "10 FF FF FF 7F 00 04 4D 51 54 54 05 02 00 3C"));
        }
        strangers.forEach(client -> client.expectClosed(SOON));
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                .isLessThan(32 << 20);
    }

    @Test
    void holdsNoMoreOfAConnectThanItMayHave() {
        byte[] announced = new Bytes().raw("10 FE FF 03").raw(new byte[4_000]).toArray();
        byte[] tooLong = new Bytes().raw("10 FF FF 03").raw(new byte[4_000]).toArray();
        RawClient within = rig.open().send(announced);
        RawClient beyond = rig.open().send(tooLong);
        beyond.expectClosed(Rig.CONNECT_TIMEOUT.minusMillis(500));
        within.expectClosed(SOON);
    }

    @Test
    void closesConnectionsBeyondTheLimit() throws Exception {
        try (Rig small = Rig.start(Transport.best(), 3, null)) {
            RawClient first = small.client();
            RawClient second = small.client();
            RawClient third = small.client();
            for (int i = 0; i < 5; i++) {
                small.open().expectClosed();
            }
            assertThat(small.counters().refused()).isEqualTo(5);
            first.leave();
            await().until(() -> small.endpoints.open() == 2);
            small.client().ping();
            second.ping();
            third.ping();
        }
    }

    @Test
    void whoeverSendsItsPacketsInPiecesIsServedWhileOthersHoldAllTheRoomThereIs() {
        HeldBytes held = rig.loops.heldBytes();
        await().until(() -> held.used() == 0);
        byte[] packet = PublishPacket.of("t", "").payload(new byte[300_000]).encode(5);
        byte[] cut = Arrays.copyOf(packet, 290_000);
        RawClient greedy = rig.client().send(cut);
        await().until(() -> held.used() >= cut.length);
        long elsewhere = held.limit() - held.used() - cut.length / 2;
        held.change(elsewhere);
        try {
            RawClient honest = rig.client().send(cut);
            assertThat(greedy.expectDisconnect(0x97)).isNotNull();
            honest.send(Arrays.copyOfRange(packet, cut.length, packet.length)).ping();
        } finally {
            held.change(-elsewhere);
        }
        await().until(() -> held.used() == 0);
    }

    @Test
    void countsCutPacketsUntilTheirRestComesOrTheirConnectionGoes() {
        HeldBytes held = rig.loops.heldBytes();
        await().until(() -> held.used() == 0);
        byte[] packet = PublishPacket.of("t", "").payload(new byte[300_000]).encode(5);
        byte[] cut = Arrays.copyOf(packet, 290_000);
        RawClient goes = rig.client().send(cut);
        RawClient completes = rig.client().send(cut);
        await().until(() -> held.used() >= 2L * cut.length);
        goes.close();
        completes.send(Arrays.copyOfRange(packet, cut.length, packet.length)).ping();
        await().until(() -> held.used() == 0);
    }
}
