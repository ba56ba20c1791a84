package io.rotamq.server.config;

/**
 * A pattern over names in which {@code *} stands for any characters, also none; everything else
 * stands for itself. Matching takes no more than length of name times length of pattern.
 */
public record Glob(String pattern) {

    /** Matches everything. */
    public static final Glob ANY = new Glob("*");

    public boolean matches(String name) {
        int p = 0;
        int n = 0;
        int star = -1; // the last * seen
        int resume = 0; // where in the name it gave up the last time
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = n;
            } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
