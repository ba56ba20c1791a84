package io.rotamq.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.testkit.Admin;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Groups and rules at the admin port of a running broker. */
@Timeout(60)
class GroupsOverHttpTest {
    @AutoClose private final HttpClient http = HttpClient.newHttpClient();
    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        broker = TestBroker.administered("sharing.backlog.max-messages=7");
        admin = broker.admin();
    }

    @AfterEach
    void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void listsEveryGroupWithItsFigures() throws Exception {
        try (RawClient member = broker.v5();
                RawClient publisher = broker.v5()) {
            member.subscribe("$share/g/t/+", 1);
            member.subscribe("$queue/q", 0);
            publisher.publish("t/1", "x", 1);
            member.acknowledge(member.delivery());
            publisher.publish("t/1", "y", 1);
            member.delivery();

            JsonNode groups = get("/groups").path("groups");

            assertThat(groups.values())
                    .extracting(group -> group.path("share").asString(""))
                    .containsExactlyInAnyOrder("g", "$queue");
            JsonNode group = find(groups, "g");
            assertThat(group.path("filter").asString("")).isEqualTo("t/+");
            assertThat(group.path("strategy").asString("")).isEqualTo("round_robin_per_group");
            assertThat(group.path("rule").asString("")).isEqualTo("default");
            assertThat(group.path("members").asInt(-1)).isEqualTo(1);
            assertThat(group.path("connected").asInt(-1)).isEqualTo(1);
            assertThat(group.path("delivered").asInt(-1)).isEqualTo(2);
            assertThat(group.path("acknowledged").asInt(-1)).isEqualTo(1);
        }
    }

    @Test
    void showsTheMembersOfAGroup() throws Exception {
        try (RawClient member = broker.v5();
                RawClient publisher = broker.v5()) {
            member.subscribe("$share/g/a b/+", 1);
            publisher.publish("a b/1", "x", 1);
            member.delivery();

            JsonNode group = get("/groups?share=g&filter=a%20b/%2B");

            assertThat(group.path("settings").path("backlog").path("max-messages").asInt(-1))
                    .isEqualTo(7);
            JsonNode shown = group.path("members").path(0);
            assertThat(shown.path("connected").asBoolean(false)).isTrue();
            assertThat(shown.path("remote-address").asString("")).startsWith("127.0.0.1:");
            assertThat(shown.path("node").asString("")).isEqualTo("local");
            assertThat(shown.path("window-used").asInt(-1)).isEqualTo(1);
            assertThat(shown.path("qos").asInt(-1)).isEqualTo(1);
            assertThat(shown.path("delivered").asInt(-1)).isEqualTo(1);
            assertThat(shown.path("acknowledged").asInt(-1)).isZero();
        }
    }

    @Test
    void showsWhichKeysAMemberTakes() throws Exception {
        put("{\"strategy\":\"key_shared\",\"key\":\"topic-level:2\"}");
        try (RawClient member = broker.v5();
                RawClient publisher = broker.v5()) {
            member.subscribe(
                    SubscribePacket.id(1)
                            .filter("$share/g/t/+", 1)
                            .user("key-filter", "ship*")
                            .user("key-filter", "eu-?"));
            publisher.publish("t/shipment", "x", 1);
            publisher.publish("t/other", "y", 1);
            member.delivery();

            JsonNode group = get("/groups?share=g&filter=t/%2B");

            assertThat(group.path("members").path(0).path("key-filters").toString())
                    .isEqualTo("[\"ship*\",\"eu-?\"]");
            assertThat(group.path("waiting").path("keys-in-flight").asInt(-1)).isEqualTo(1);
            assertThat(group.path("dropped").path("key_filtered").asInt(-1)).isEqualTo(1);
        }
    }

    @Test
    void addsUpGroupsOfAStrategyInTheMetrics() throws Exception {
        try (RawClient member = broker.v5();
                RawClient publisher = broker.v5()) {
            member.subscribe("$share/g/t", 1);
            member.subscribe("$share/h/t", 1);
            publisher.publish("t", "x", 1);

            String metrics = send("GET", "/metrics", null).body();

            assertThat(metrics)
                    .contains(
                            "rotamq_shared_dispatched_total{strategy=\"round_robin_per_group\"}"
                                    + " 2.0",
                            "rotamq_shared_dispatched_total{strategy=\"sticky\"} 0.0",
                            "rotamq_group_members{strategy=\"round_robin_per_group\"} 2.0",
                            "rotamq_group_waiting_messages{strategy=\"round_robin_per_group\"} 0.0",
                            "rotamq_groups_slowed{strategy=\"round_robin_per_group\"} 0.0");
        }
    }

    @Test
    void countsWhatMembersRefuse() throws Exception {
        try (RawClient member = broker.v5();
                RawClient publisher = broker.v5()) {
            member.subscribe("$share/g/t", 1);
            publisher.publish("t", "x", 1);
            int packetId = member.delivery().packetId();
            member.send(new byte[] {0x40, 3, (byte) (packetId >> 8), (byte) packetId, (byte) 0x80});
            member.ping();

            JsonNode group = get("/groups?share=g&filter=t");

            assertThat(group.path("refused").asInt(-1)).isEqualTo(1);
            assertThat(group.path("acknowledged").asInt(-1)).isZero();
            assertThat(group.path("dropped").path("negative_ack").asInt(-1)).isEqualTo(1);
        }
    }

    @Test
    void showsWhatWaitsBecauseNobodyHasRoom() throws Exception {
        ConnectPacket narrow = ConnectPacket.v5("narrow").with(Property.RECEIVE_MAXIMUM, 1);
        try (RawClient member = broker.client(narrow);
                RawClient publisher = broker.v5()) {
            member.subscribe("$share/g/t", 1);
            publisher.publish("t", "first", 1);
            Received first = member.delivery();
            publisher.publish("t", "second", 1);
            publisher.publish("t", "third", 1);

            JsonNode group = get("/groups?share=g&filter=t");

            assertThat(group.path("waiting").path("messages").asInt(-1)).isEqualTo(2);
            assertThat(group.path("waiting").path("bytes").asInt(-1)).isPositive();
            assertThat(group.path("waiting").path("lines").asInt(-1)).isEqualTo(1);
            assertThat(group.path("waiting").path("longest-line").asInt(-1)).isEqualTo(2);
            assertThat(group.path("members").path(0).path("window").asInt(-1)).isEqualTo(1);
            assertThat(group.path("members").path(0).path("window-used").asInt(-1)).isEqualTo(1);
            member.acknowledge(first);
            member.acknowledge(member.delivery());
            member.acknowledge(member.delivery());
            member.ping();
            group = get("/groups?share=g&filter=t");
            assertThat(group.path("waiting").path("messages").asInt(-1)).isZero();
            assertThat(group.path("acknowledged").asInt(-1)).isEqualTo(3);
        }
    }

    @Test
    void showsWhatAMemberThatIsAwayLeftToOthers() throws Exception {
        RawClient lost = broker.client(ConnectPacket.v5("lost").lasting(100));
        try (RawClient other = broker.client(ConnectPacket.v5("other"));
                RawClient publisher = broker.v5()) {
            lost.subscribe("$share/g/t", 1);
            publisher.publish("t", "x", 1);
            lost.delivery();
            other.subscribe("$share/g/t", 1);
            lost.reset();
            other.acknowledge(other.delivery());
            other.ping();

            JsonNode group = get("/groups?share=g&filter=t");

            assertThat(group.path("connected").asInt(-1)).isEqualTo(1);
            JsonNode away = group.path("members").path(0);
            assertThat(away.path("client-id").asString("")).isEqualTo("lost");
            assertThat(away.path("connected").asBoolean(true)).isFalse();
            assertThat(away.has("remote-address")).isFalse();
            assertThat(away.path("delivered").asInt(-1)).isEqualTo(1);
            assertThat(away.path("acknowledged").asInt(-1)).isZero();
            assertThat(group.path("members").path(1).path("acknowledged").asInt(-1)).isEqualTo(1);
            // The shard of the member that is away hears of it behind the delivery.
            await().until(() -> redispatched() == 1);
        }
    }

    private int redispatched() throws Exception {
        return get("/groups?share=g&filter=t").path("redispatched").asInt(-1);
    }

    @Test
    void answersHeadLikeGetWithoutABody() throws Exception {
        for (String path : List.of("/groups", "/sharing/rules")) {
            HttpResponse<String> head = send("HEAD", path, null);
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            get(path); // on the same connection: nothing was left on it
        }
    }

    @Test
    void saysWhenAGroupIsUnknownOrHalfNamed() throws Exception {
        assertThat(send("GET", "/groups?share=g&filter=t", null).statusCode()).isEqualTo(404);
        assertThat(send("GET", "/groups?share=g&filter=a%23", null).statusCode()).isEqualTo(404);
        assertThat(send("GET", "/groups?share=g", null).statusCode()).isEqualTo(400);
    }

    @Test
    void namesOfAnyLengthFindTheirGroupAndTheirRule() throws Exception {
        String filter = "é".repeat(32_000);
        try (RawClient member = broker.v5()) {
            member.subscribe("$share/g/" + filter, 1);
            String query = "filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);

            assertThat(get("/groups?share=g&" + query).path("members").size()).isEqualTo(1);

            String pattern = "x".repeat(60_000);
            assertThat(put("{\"share\":\"" + pattern + "\",\"strategy\":\"random\"}").statusCode())
                    .isEqualTo(200);
            assertThat(send("DELETE", "/sharing/rules?share=" + pattern, null).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void setsMergesShowsAndTakesBackRules() throws Exception {
        assertThat(put("{\"share\":\"a*\",\"strategy\":\"sticky\",\"max-members\":3}"))
                .extracting(HttpResponse::statusCode)
                .isEqualTo(200);
        assertThat(put("{\"share\":\"b\",\"backlog\":{\"overflow\":\"drop_oldest\"}}"))
                .extracting(HttpResponse::body)
                .isEqualTo("{\"share\":\"b\",\"filter\":\"*\",\"groups\":0}");
        send("PATCH", "/sharing/rules", "{\"share\":\"a*\",\"initial-pick\":\"local\"}");

        JsonNode rules = get("/sharing/rules").path("rules");

        assertThat(rules.path(0).toString())
                .isEqualTo(
                        "{\"share\":\"a*\",\"filter\":\"*\",\"origin\":\"running\",\"name\":\"set"
                            + " while running\",\"strategy\":\"sticky\",\"initial-pick\":\"local\","
                            + "\"max-members\":3}");
        assertThat(rules.path(1).path("backlog").path("overflow").asString(""))
                .isEqualTo("drop_oldest");
        put("{\"share\":\"a*\",\"max-members\":4}");
        assertThat(get("/sharing/rules").path("rules").path(0).has("strategy")).isFalse();
        admin.reset("a*", "*");
        admin.reset("b", "*");
        assertThat(get("/sharing/rules").path("rules").isEmpty()).isTrue();
        assertThat(send("DELETE", "/sharing/rules?share=b", null).statusCode()).isEqualTo(404);
    }

    @Test
    void changesTheDefaultBehindAllRules() throws Exception {
        put("{\"share\":\"a\",\"max-members\":3}");
        put("{\"strategy\":\"random\"}");

        JsonNode standard = get("/sharing/rules").path("default");

        assertThat(standard.path("strategy").asString("")).isEqualTo("random");
        assertThat(standard.path("rule").asString("")).isEqualTo("default, changed while running");
        try (RawClient member = broker.v5()) {
            member.subscribe("$share/a/t", 1);
            member.subscribe("$share/b/t", 1);
            JsonNode a = get("/groups?share=a&filter=t");
            assertThat(a.path("rule").asString(""))
                    .isEqualTo("set while running (share a, filter *)");
            assertThat(a.path("strategy").asString("")).isEqualTo("random");
            assertThat(a.path("settings").path("max-members").asInt(-1)).isEqualTo(3);
            admin.reset("*", "*");
            assertThat(get("/groups?share=b&filter=t").path("strategy").asString(""))
                    .isEqualTo("round_robin_per_group");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"strategy\":\"sticki\"}|strategy: \"sticki\" is not one of the allowed values;"
                        + " allowed: round_robin_per_group, round_robin, random, sticky, local,"
                        + " hash_clientid, hash_topic, least_inflight, failover, exclusive,"
                        + " key_shared",
                "{\"max-members\":0}|max-members: 0 is out of range; allowed: a whole number from 1"
                        + " to 1000000",
                "{\"backlog\":{\"max-bytes\":\"x\"}}|backlog.max-bytes: \"x\" is not a size;"
                        + " allowed: a size from 1KiB to 1024GiB (plain number: bytes; KiB, MiB,"
                        + " GiB)",
                "{\"strategi\":\"sticky\"}|strategi: unknown setting; did you mean strategy?",
                "{\"backlog\":5}|backlog: holds settings and is none itself; allowed:"
                        + " backlog.max-messages, backlog.max-bytes, backlog.max-lane-messages,"
                        + " backlog.overflow, backlog.high-water, backlog.slow-limit",
                "{\"strategy\":[\"sticky\"]}|strategy: is neither text nor a number",
                "{\"strategy\":null}|strategy: is neither text nor a number",
                "{\"backlog.overflow\":\"slow\",\"backlog\":{\"overflow\":\"slow\"}}|"
                        + "backlog.overflow: is set twice",
                "{\"share\":\"\",\"strategy\":\"sticky\"}|share: the pattern is empty and would"
                        + " match nothing; allowed: a pattern in which * stands for any characters",
                "{\"share\":\"a\"}|the rule says nothing but share and filter; allowed: strategy,"
                        + " initial-pick, key, offline-members, max-members, backlog.max-messages,"
                        + " backlog.max-bytes, backlog.max-lane-messages, backlog.overflow,"
                        + " backlog.high-water, backlog.slow-limit",
                "[]|the body is not a JSON object"
            })
    void refusesWhatIsNotAllowedAndSaysWhatIs(String body, String problem) throws Exception {
        HttpResponse<String> answer = put(body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Json.MAPPER.readTree(answer.body()).path("error").asString(""))
                .isEqualTo(problem);
        assertThat(get("/sharing/rules").path("rules").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{", "{\"a\":1,\"a\":2}", "{} {}", "''"})
    void refusesWhatIsNotJson(String body) throws Exception {
        assertThat(put(body).statusCode()).isEqualTo(400);
    }

    @Test
    void refusesBodiesWithoutEndAndWithoutBottom() throws Exception {
        assertThat(put("{\"share\":\"" + "a".repeat(100_000) + "\"}").statusCode()).isEqualTo(400);
        assertThat(put("{\"a\":".repeat(10_000)).statusCode()).isEqualTo(400);
    }

    @Test
    void takesOtherMethodsAndMediaTypesForMistakes() throws Exception {
        assertThat(send("POST", "/sharing/rules", "{}").statusCode()).isEqualTo(405);
        assertThat(send("PUT", "/groups", "{}").statusCode()).isEqualTo(405);
        HttpRequest form =
                HttpRequest.newBuilder(URI.create(admin.url() + "/sharing/rules"))
                        .header("Content-Type", "text/plain")
                        .PUT(BodyPublishers.ofString("{\"strategy\":\"random\"}"))
                        .build();
        HttpResponse<String> answer = http.send(form, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(answer.body()).contains("application/json");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, , 200",
        "localhost, , 200",
        "[::1], , 200",
        "127.0.0.1, http://127.0.0.1:PORT, 200",
        "evil.example, , 403",
        "127.0.0.1.evil.example, , 403",
        "evil.example, http://evil.example:PORT, 403",
        "127.0.0.1, http://evil.example, 403",
        "127.0.0.1, http://127.0.0.1, 403",
        "127.0.0.1, null, 403"
    })
    void letsNoForeignPageChangeAnything(String host, String origin, int status) throws Exception {
        String port = Integer.toString(URI.create(admin.url()).getPort());
        String body = "{\"strategy\":\"random\"}";
        String head =
                "PUT /sharing/rules HTTP/1.1\r\nHost: "
                        + host
                        + ":"
                        + port
                        + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length()
                        + "\r\n"
                        + (origin == null
                                ? ""
                                : "Origin: " + origin.replace("PORT", port) + "\r\n");

        assertThat(statusLine(head + "\r\n" + body)).startsWith("HTTP/1.1 " + status + " ");
        assertThat(get("/sharing/rules").path("default").path("strategy").asString(""))
                .isEqualTo(status == 200 ? "random" : "round_robin_per_group");
    }

    /** By hand: the library does not let a test choose its Host. */
    private String statusLine(String request) throws IOException {
        int port = URI.create(admin.url()).getPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    private static JsonNode find(JsonNode groups, String share) {
        return groups.values().stream()
                .filter(group -> group.path("share").asString("").equals(share))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode get(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path, null);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.body());
    }

    private HttpResponse<String> put(String body) throws Exception {
        return send("PUT", "/sharing/rules", body);
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(admin.url() + path))
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
