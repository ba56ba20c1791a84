package io.rotamq.core.strategy;

import java.util.List;

/**
 * Which routing keys a member of a {@code key_shared} group takes: those that match one of its
 * globs, in which {@code *} stands for any characters or none, and {@code ?} for one. Immutable.
 */
public final class KeyFilter {
    /** Of a member that names no keys. */
    public static final KeyFilter EVERY_KEY = new KeyFilter(List.of());

    private final List<String> globs;

    private KeyFilter(List<String> globs) {
        this.globs = globs;
    }

    /** Takes the keys that match any of the globs; without globs every key. */
    public static KeyFilter of(List<String> globs) {
        return globs.isEmpty() || globs.contains("*")
                ? EVERY_KEY
                : new KeyFilter(List.copyOf(globs));
    }

    /** Empty if every key is taken. */
    public List<String> globs() {
        return globs;
    }

    /** Rough cost of keeping it, in bytes. */
    public int size() {
        int size = 0;
        for (String glob : globs) {
            size += 64 + 2 * glob.length();
        }
        return size;
    }

    boolean takesEveryKey() {
        return globs.isEmpty();
    }

    public boolean matches(String key) {
        if (globs.isEmpty()) {
            return true;
        }
        for (String glob : globs) {
            if (matches(glob, key)) {
                return true;
            }
        }
        return false;
    }

    /** Remembers the last star alone: going back to an earlier one cannot help. */
    private static boolean matches(String glob, String key) {
        int at = 0;
        int i = 0;
        int star = -1;
        int resumed = 0;
        while (at < key.length()) {
            if (i < glob.length() && glob.charAt(i) == '*') {
                star = i++;
                resumed = at;
            } else if (i < glob.length() && glob.charAt(i) == '?') {
                i++;
                at = behind(key, at);
            } else if (i < glob.length() && glob.charAt(i) == key.charAt(at)) {
                i++;
                at++;
            } else if (star >= 0) {
                i = star + 1;
                resumed = behind(key, resumed);
                at = resumed;
            } else {
                return false;
            }
        }
        while (i < glob.length() && glob.charAt(i) == '*') {
            i++;
        }
        return i == glob.length();
    }

    /** Behind one character, which may be two units of UTF-16. */
    private static int behind(String key, int at) {
        return at + Character.charCount(key.codePointAt(at));
    }

    @Override
    public String toString() {
        return globs.isEmpty() ? "*" : String.join(", ", globs);
    }
}
