package io.rotamq.server.net;

import io.rotamq.mqtt.Connect;
import java.util.function.BooleanSupplier;

/**
 * Finds out about a CONNECT what takes too long for a loop, such as whether a password is right.
 * The core sees the CONNECT afterwards.
 */
@FunctionalInterface
public interface Preparation {
    /** Nothing takes long. */
    Preparation NONE = (connect, wanted, then) -> false;

    /**
     * Called on the connection's loop; must not block.
     *
     * @param wanted whether the connection is still there; any thread may ask
     * @param then to be run once, on any thread, when the core may see the CONNECT
     * @return false: there is nothing to find out, and {@code then} is not run
     */
    boolean begin(Connect connect, BooleanSupplier wanted, Runnable then);
}
