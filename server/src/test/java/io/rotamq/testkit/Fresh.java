package io.rotamq.testkit;

import java.util.concurrent.atomic.AtomicInteger;

/** Client ids and topics that no other test uses, so that tests share a broker. */
public final class Fresh {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Fresh() {}

    /** Letters and digits only, at most 23 bytes: every broker must accept it. */
    public static String id() {
        return "client" + NEXT.incrementAndGet();
    }

    /** One level. */
    public static String topic() {
        return "topic" + NEXT.incrementAndGet();
    }
}
