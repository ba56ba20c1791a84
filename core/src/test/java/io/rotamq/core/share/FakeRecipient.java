package io.rotamq.core.share;

import org.jspecify.annotations.Nullable;

/** A session as a group sees it, with switches. */
final class FakeRecipient implements Recipient {
    final Window window = new Window();
    boolean online = true;
    boolean persistent;
    boolean fits = true;
    @Nullable Attachment attachment;
    private final String clientId;

    FakeRecipient(String clientId, int credit) {
        this.clientId = clientId;
        window.open(credit);
    }

    @Override
    public String clientId() {
        return clientId;
    }

    @Override
    public int shard() {
        return 0;
    }

    @Override
    public Window window() {
        return window;
    }

    @Override
    public boolean isOnline() {
        return online;
    }

    @Override
    public @Nullable Attachment attachment() {
        return attachment;
    }

    @Override
    public boolean isPersistent() {
        return persistent;
    }

    @Override
    public boolean fits(Message message, Grant grant) {
        return fits;
    }

    void disconnect() {
        online = false;
        window.close();
    }

    void reconnect(int credit) {
        online = true;
        window.open(credit);
    }
}
