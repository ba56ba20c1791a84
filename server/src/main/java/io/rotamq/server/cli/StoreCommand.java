package io.rotamq.server.cli;

import io.rotamq.core.durable.Content;
import io.rotamq.core.durable.MessageRecord;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.storage.KindSize;
import io.rotamq.storage.RocksDbStore;
import io.rotamq.storage.StorageSettings;
import io.rotamq.storage.Sync;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks at what a broker has stored. */
@Command(name = "store", description = "Shows what a broker has stored.")
final class StoreCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    private StoreCommand() {}

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new StoreCommand()).addSubcommand(new Inspect(surroundings));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USAGE;
    }

    @Command(
            name = "inspect",
            description = {
                "Shows how many entries there are of each kind, their sizes, and the oldest"
                        + " message.",
                "For a store that no broker has open: a backup, or the data directory of one that"
                        + " was stopped."
            })
    static final class Inspect implements Callable<Integer> {
        private final Surroundings surroundings;

        @Mixin private ConfigurationOptions options = new ConfigurationOptions();

        @Option(
                names = "--store",
                paramLabel = "DIR",
                description = "The store itself, such as a backup, in place of the configured one.")
        private @Nullable Path directory;

        Inspect(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            try {
                Path store =
                        directory != null
                                ? directory
                                : options.read(surroundings.environment())
                                        .configuration()
                                        .storeDirectory();
                inspect(store);
                return ExitStatus.OK;
            } catch (ConfigurationException e) {
                surroundings.complain(e);
                return ExitStatus.USAGE;
            } catch (StoreException e) {
                surroundings.complain(e);
                return ExitStatus.FAILED;
            }
        }

        private void inspect(Path where) {
            if (!Files.exists(where.resolve("format"))) {
                throw new StoreException(where + " holds no RotaMQ store"); // opening would make it
            }
            try (RocksDbStore store = RocksDbStore.open(StorageSettings.of(where, Sync.COMMIT))) {
                Table table = new Table("KIND", "ENTRIES", "BYTES", "FILES");
                for (KindSize size : store.sizes()) {
                    Count count = new Count();
                    store.forEach(size.kind(), count);
                    table.add(size.kind().label(), count.entries, count.bytes, size.fileBytes());
                }
                table.print(surroundings.out());
                Oldest oldest = new Oldest();
                store.forEach(Kind.MESSAGE, oldest);
                surroundings.out().println(oldest.text());
            }
        }
    }

    /** Bytes as they were written, before compression. */
    private static final class Count implements Store.Visitor {
        private long entries;
        private long bytes;

        @Override
        public void entry(byte[] key, byte[] value) {
            entries++;
            bytes += key.length + value.length;
        }
    }

    private static final class Oldest implements Store.Visitor {
        private @Nullable Content found;

        @Override
        public void entry(byte[] key, byte[] value) {
            Content content = MessageRecord.read(key, value).content();
            if (found == null || content.arrival() < found.arrival()) {
                found = content;
            }
        }

        String text() {
            Content oldest = found;
            return oldest == null
                    ? "No message is stored."
                    : Table.harmless(
                            "The oldest message: topic %s, QoS %d, %d bytes, from client %s"
                                    .formatted(
                                            oldest.publish().topic(),
                                            oldest.publish().qos(),
                                            oldest.publish().payload().length,
                                            oldest.publisher()));
        }
    }
}
