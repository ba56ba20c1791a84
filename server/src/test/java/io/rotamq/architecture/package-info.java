/**
 * The structure of the code, as rules that fail the build: which module may know which, what the
 * core may not touch, how packages and names look. Read from the compiled classes of all modules
 * that the server is made of.
 */
@NullMarked
package io.rotamq.architecture;

import org.jspecify.annotations.NullMarked;
