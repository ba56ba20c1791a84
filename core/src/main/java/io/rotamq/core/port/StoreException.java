package io.rotamq.core.port;

/** What is stored cannot be used: the message says what is wrong and what an operator can do. */
public final class StoreException extends RuntimeException {
    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
