package io.rotamq.storage;

import io.rotamq.core.port.Store.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;

/**
 * RocksDB's options, for two cores and little memory: outside the heap it takes the write buffers,
 * the block cache (which the indexes and filters live in) and some MiB. Open as long as the
 * database.
 */
final class Tuning implements AutoCloseable {
    private static final long MIB = 1 << 20;

    /** What comes and goes all the time. */
    private static final Set<Kind> QUEUES =
            EnumSet.of(Kind.MESSAGE, Kind.DELIVERY, Kind.INBOUND, Kind.BACKLOG, Kind.LOG);

    private final Cache cache;
    private final BloomFilter filter = new BloomFilter(10);

    /**
     * A queue leaves tombstones where it was; a file that is half of them is compacted soon, so
     * that a scan does not wade through them and the disk gets its space back.
     */
    private final TablePropertiesCollectorFactory deletions =
            TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
                    10_000, 5_000, 0.5);

    private final DBOptions database;
    private final ColumnFamilyOptions queue;
    private final ColumnFamilyOptions table;

    Tuning(StorageSettings settings) {
        cache = new LRUCache(settings.blockCache());
        database = database(settings);
        queue = tuned(queues(), settings);
        table = tuned(new ColumnFamilyOptions(), settings);
    }

    DBOptions database() {
        return database;
    }

    ColumnFamilyOptions column(Kind kind) {
        return QUEUES.contains(kind) ? queue : table;
    }

    private static DBOptions database(StorageSettings settings) {
        return new DBOptions()
                .setCreateMissingColumnFamilies(true)
                .setDbWriteBufferSize(settings.writeBuffers())
                // A kind that is written rarely must not keep old log files alive for ever.
                .setMaxTotalWalSize(4 * settings.writeBuffers())
                .setMaxBackgroundJobs(2)
                .setMaxSubcompactions(1)
                .setBytesPerSync(MIB)
                // What a power cut tore off at the end was never told; all before it is there.
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setParanoidChecks(true)
                .setMaxOpenFiles(512)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(4 * MIB)
                .setKeepLogFileNum(4)
                .setStatsDumpPeriodSec(0);
    }

    /** RocksDB's Java binding knows this option only where all options are together. */
    private ColumnFamilyOptions queues() {
        try (Options all = new Options()) {
            all.setTablePropertiesCollectorFactory(List.of(deletions));
            return new ColumnFamilyOptions(all);
        }
    }

    private ColumnFamilyOptions tuned(ColumnFamilyOptions options, StorageSettings settings) {
        return options.setWriteBufferSize(settings.writeBuffers() / 4)
                .setMaxWriteBufferNumber(3)
                .setArenaBlockSize(MIB / 4)
                .setTargetFileSizeBase(32 * MIB)
                .setMaxBytesForLevelBase(128 * MIB)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setTableFormatConfig(
                        new BlockBasedTableConfig()
                                .setBlockCache(cache)
                                .setBlockSize(16 << 10)
                                .setFilterPolicy(filter)
                                .setCacheIndexAndFilterBlocks(true)
                                .setPinL0FilterAndIndexBlocksInCache(true)
                                .setFormatVersion(6));
    }

    @Override
    public void close() {
        database.close();
        queue.close();
        table.close();
        deletions.close();
        filter.close();
        cache.close();
    }
}
