package io.rotamq.core.strategy;

import org.jspecify.annotations.Nullable;

/** A session as a group sees it, with switches. */
public final class FakeRecipient implements Recipient {
    public final Window window = new Window();
    public boolean online = true;
    public boolean persistent;
    public boolean fits = true;
    public @Nullable Attachment attachment;
    private final String clientId;

    public FakeRecipient(String clientId, int credit) {
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

    public void disconnect() {
        online = false;
        window.close();
    }

    public void reconnect(int credit) {
        online = true;
        window.open(credit);
    }
}
