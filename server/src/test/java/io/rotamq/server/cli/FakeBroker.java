package io.rotamq.server.cli;

import io.rotamq.server.RunningBroker;
import io.rotamq.server.StartException;
import io.rotamq.server.config.Configuration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker that listens nowhere and remembers what was asked of it. */
final class FakeBroker implements BrokerStarter, RunningBroker {
    private final List<String> calls = new ArrayList<>();
    private @Nullable Configuration configuration;

    @Override
    public RunningBroker start(Configuration configuration) throws StartException {
        if (configuration.listeners().mqtt().port() == 1) {
            throw new StartException("cannot listen on mqtt 127.0.0.1:1: Permission denied", null);
        }
        this.configuration = configuration;
        calls.add("start");
        return this;
    }

    @Override
    public List<Endpoint> endpoints() {
        return List.of(
                new Endpoint("mqtt", "127.0.0.1", 40_001), new Endpoint("wss", "::1", 40_002));
    }

    @Override
    public void stop() {
        calls.add("stop");
    }

    List<String> calls() {
        return calls;
    }

    @Nullable Configuration configuration() {
        return configuration;
    }
}
