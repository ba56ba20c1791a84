package io.rotamq.server.admin;

import io.helidon.webserver.http.ServerRequest;
import java.util.Optional;

/** The parameters in the query of a request. */
final class Parameters {
    private Parameters() {}

    /** The first value of that name, decoded. */
    static Optional<String> first(ServerRequest request, String name) {
        return request.query().contains(name)
                ? Optional.of(request.query().get(name))
                : Optional.empty();
    }
}
