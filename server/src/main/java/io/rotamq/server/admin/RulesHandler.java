package io.rotamq.server.admin;

import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.rotamq.core.port.StoreException;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.Glob;
import io.rotamq.server.config.SharingRule;
import io.rotamq.server.config.SharingRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code /sharing/rules}. GET shows them; PUT sets one, PATCH adds to what one says, DELETE takes
 * back what was set while running.
 */
record RulesHandler(Sharing sharing) implements Handler {
    @Override
    public void handle(ServerRequest request, ServerResponse response) throws IOException {
        try {
            switch (request.prologue().method().text()) {
                case "PUT" -> set(request, response, false);
                case "PATCH" -> set(request, response, true);
                case "DELETE" -> reset(request, response);
                default -> show(response);
            }
        } catch (StoreException e) {
            Json.refuse(response, Status.SERVICE_UNAVAILABLE_503, String.valueOf(e.getMessage()));
        } catch (Json.BadRequest | ConfigurationException e) {
            String problem = String.valueOf(e.getMessage());
            Json.refuse(response, Status.BAD_REQUEST_400, problem.replaceFirst("^request: ", ""));
        }
    }

    private void show(ServerResponse response) {
        SharingRules rules = sharing.rules();
        List<Map<String, Object>> all = new ArrayList<>();
        rules.running().forEach(rule -> all.add(view("running", rule)));
        rules.file().forEach(rule -> all.add(view("file", rule)));
        Map<String, Object> standard = new LinkedHashMap<>();
        standard.put("rule", rules.defaults().rule());
        standard.putAll(SharingRules.describe(rules.defaults()));
        Json.send(response, Status.OK_200, Map.of("rules", all, "default", standard));
    }

    private static Map<String, Object> view(String origin, SharingRule rule) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("share", rule.share().pattern());
        view.put("filter", rule.filter().pattern());
        view.put("origin", origin);
        view.put("name", rule.name());
        view.putAll(rule.stated());
        return view;
    }

    private void set(ServerRequest request, ServerResponse response, boolean merged)
            throws Json.BadRequest, ConfigurationException, IOException {
        if (!Json.isExpected(request, response)) {
            return;
        }
        SharingRule rule = SharingRule.running(Json.object(request));
        if (rule.isEmpty()) {
            throw new Json.BadRequest(
                    "the rule says nothing but share and filter; allowed: "
                            + String.join(", ", SharingRule.keys()));
        }
        sharing.set(rule, merged);
        answer(rule.share(), rule.filter(), response);
    }

    private void reset(ServerRequest request, ServerResponse response) {
        Glob share = pattern(request, "share");
        Glob filter = pattern(request, "filter");
        if (sharing.reset(share, filter)) {
            answer(share, filter, response);
        } else {
            Json.refuse(
                    response,
                    Status.NOT_FOUND_404,
                    "no rule was set while running for share \""
                            + share.pattern()
                            + "\" and filter \""
                            + filter.pattern()
                            + "\"");
        }
    }

    private static Glob pattern(ServerRequest request, String name) {
        return Parameters.first(request, name).map(Glob::new).orElse(Glob.ANY);
    }

    /** Says how many groups it was about, so that a misspelt pattern is noticed. */
    private void answer(Glob share, Glob filter, ServerResponse response) {
        AtomicInteger matching = new AtomicInteger();
        sharing.forEachName(
                (shareName, topicFilter) -> {
                    if (share.matches(shareName) && filter.matches(topicFilter)) {
                        matching.incrementAndGet();
                    }
                });
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("share", share.pattern());
        body.put("filter", filter.pattern());
        body.put("groups", matching.get());
        Json.send(response, Status.OK_200, body);
    }
}
