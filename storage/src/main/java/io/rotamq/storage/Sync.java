package io.rotamq.storage;

/** When something counts as committed. */
public enum Sync {
    /** When it is on the disk: survives a power cut. */
    COMMIT,
    /** When the operating system has it: survives the death of the process. */
    OS
}
