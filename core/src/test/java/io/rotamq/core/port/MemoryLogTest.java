package io.rotamq.core.port;

import org.jspecify.annotations.Nullable;

class MemoryLogTest extends LogContract {
    private @Nullable MemoryLog last;

    @Override
    protected Log open() {
        MemoryLog before = last;
        last = before == null ? new MemoryLog() : before.crash();
        return last;
    }

    @Override
    protected void close() {
        MemoryLog log = last;
        if (log != null) {
            log.run();
        }
    }

    @Override
    protected void turn(Log log) {
        ((MemoryLog) log).run();
    }

    @Override
    protected void breakDisk(Log log) {
        ((MemoryLog) log).fail("the disk is broken");
    }
}
