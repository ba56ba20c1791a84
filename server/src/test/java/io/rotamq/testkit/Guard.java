package io.rotamq.testkit;

/** The rules of a guarded test broker: one wrong password, one forbidden branch of topics. */
public final class Guard {
    public static final String WRONG_PASSWORD = "wrong";
    public static final String FORBIDDEN = "forbidden/";

    /** What the broker is given to say when it refuses: too long for small clients. */
    public static final String REASON = "because ".repeat(25);

    private Guard() {}
}
