package io.rotamq.server.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a running command learns that it shall end, and how it then ends. */
interface StopSignal {

    /** From now on a signal to end is kept for {@link #await} instead of ending the process. */
    void arm();

    /** Waits until somebody wants the process to end. */
    void await() throws InterruptedException;

    /** Ends the process with that status. */
    void exit(int status);

    /**
     * SIGTERM and SIGINT. The Java platform answers them by running shutdown hooks and then reports
     * the signal as exit status; an orderly stop is no failure, so the hook waits for the main
     * thread to finish its work and ends the process with the status that this gives.
     */
    final class OfTheProcess implements StopSignal {
        /**
         * Longer than any orderly stop; a stop that hangs must not keep a machine from rebooting.
         */
        private static final long LONGEST_STOP_SECONDS = 60;

        private final CountDownLatch requested = new CountDownLatch(1);
        private final CountDownLatch finished = new CountDownLatch(1);

        /** Written before finished is counted down, read after it was awaited. */
        private int status = ExitStatus.FAILED;

        @Override
        public void arm() {
            Runtime.getRuntime().addShutdownHook(new Thread(this::shutDown, "stop"));
        }

        @Override
        public void await() throws InterruptedException {
            requested.await();
        }

        @Override
        public void exit(int status) {
            this.status = status;
            finished.countDown();
            if (requested.getCount() > 0) {
                System.exit(status);
            }
        }

        private void shutDown() {
            requested.countDown();
            boolean orderly = false;
            try {
                orderly = finished.await(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(orderly ? status : ExitStatus.FAILED);
        }
    }
}
