package io.rotamq.core.strategy;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Any shard claims and looks; the session's shard alone opens, closes, blocks and releases. */
public class WindowLincheckTest {
    private final Window window = new Window();

    public WindowLincheckTest() {
        window.open(1);
    }

    @Operation
    public long claim() {
        return window.claim();
    }

    @Operation
    public long peek() {
        return window.peek();
    }

    @Operation(nonParallelGroup = "owner")
    public boolean release() {
        return window.release();
    }

    @Operation(nonParallelGroup = "owner")
    public void open() {
        window.open(2);
    }

    @Operation(nonParallelGroup = "owner")
    public void close() {
        window.close();
    }

    @Operation(nonParallelGroup = "owner")
    public void block() {
        window.block(true);
    }

    @Operation(nonParallelGroup = "owner")
    public void unblock() {
        window.block(false);
    }

    @Test
    void eachStepIsAtomic() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .check(WindowLincheckTest.class);
    }
}
