package io.rotamq.storage;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much of the disk is free. */
interface FreeSpace {
    /** Bytes that this process may still use. */
    long bytes() throws IOException;

    static FreeSpace of(Path directory) throws IOException {
        FileStore disk = Files.getFileStore(directory);
        return disk::getUsableSpace;
    }
}
