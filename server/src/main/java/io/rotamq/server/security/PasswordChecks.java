package io.rotamq.server.security;

import io.rotamq.mqtt.Connect;
import io.rotamq.server.net.Preparation;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Verifies passwords on threads of its own, one after the other and not many at once: whoever tries
 * passwords in masses takes processor time from others who log in, but not from the loops. Waiting
 * checks are bounded by the connections there can be; those of connections that are gone are
 * skipped.
 */
final class PasswordChecks implements Preparation {
    private static final long IDLE_SECONDS = 10;

    private final Users users;
    private final Executor threads;

    PasswordChecks(Users users) {
        this.users = users;
        int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        count,
                        count,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name("rotamq-passwords-", 0).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    @Override
    public boolean begin(Connect connect, BooleanSupplier wanted, Runnable then) {
        String name = connect.username();
        byte[] password = connect.password();
        if (name == null || password == null) {
            return false;
        }
        if (users.isUpToDate() && users.isVerified(name, password)) {
            return false;
        }
        threads.execute(() -> check(name, password, wanted, then));
        return true;
    }

    private void check(String name, byte[] password, BooleanSupplier wanted, Runnable then) {
        if (wanted.getAsBoolean()) {
            try {
                users.verify(name, password);
            } finally {
                then.run();
            }
        }
    }
}
