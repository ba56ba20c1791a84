package io.rotamq.server.cli;

import io.rotamq.server.RunningBroker;
import io.rotamq.server.StartException;
import io.rotamq.server.config.Configuration;

/** Starts a broker; the command line knows no more of it. */
@FunctionalInterface
public interface BrokerStarter {

    /**
     * Returns when the broker accepts connections on all its listeners.
     *
     * @throws StartException when it cannot, with everything released that it had taken
     */
    RunningBroker start(Configuration configuration) throws StartException;
}
