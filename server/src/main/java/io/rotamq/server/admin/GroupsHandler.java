package io.rotamq.server.admin;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.rotamq.core.share.GroupSnapshot;
import java.io.OutputStream;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /groups}: all groups, one after the other, so that a hundred thousand of them are
 * never held at once; with {@code share} and {@code filter} one group and its members.
 */
record GroupsHandler(Sharing sharing) implements Handler {
    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        Optional<String> share = Parameters.first(request, "share");
        Optional<String> filter = Parameters.first(request, "filter");
        if (share.isPresent() != filter.isPresent()) {
            Json.refuse(
                    response,
                    Status.BAD_REQUEST_400,
                    "one group is named by both share and filter; without them all are listed");
        } else if (share.isPresent() && filter.isPresent()) {
            one(share.get(), filter.get(), response);
        } else {
            all(response);
        }
    }

    private void one(String share, String filter, ServerResponse response) {
        Optional<GroupSnapshot> group = sharing.group(share, filter);
        if (group.isPresent()) {
            Json.send(response, Status.OK_200, GroupViews.details(group.get()));
        } else {
            Json.refuse(
                    response,
                    Status.NOT_FOUND_404,
                    "there is no group with share \"" + share + "\" and filter \"" + filter + "\"");
        }
    }

    private void all(ServerResponse response) {
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/json"));
        response.header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"));
        OutputStream out = response.outputStream();
        try (JsonGenerator json = Json.MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeArrayPropertyStart("groups");
            sharing.forEachGroup(group -> json.writePOJO(GroupViews.summary(group)));
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
