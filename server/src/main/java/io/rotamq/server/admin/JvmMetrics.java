package io.rotamq.server.admin;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;

/**
 * The virtual machine's figures, under the names that dashboards for Java know. The beans are
 * looked up at the first scrape: to load them takes time that a start does not have.
 */
final class JvmMetrics implements MetricsSource {

    @Override
    public void collect(MetricsSink sink) {
        process(sink);
        memory(sink, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        memory(sink, "nonheap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        buffers(sink);
        collections(sink);
        threads(sink);
        sink.gauge(
                "jvm_info",
                "The Java runtime.",
                1,
                "version",
                Runtime.version().toString(),
                "vendor",
                System.getProperty("java.vendor", ""));
    }

    private static void process(MetricsSink sink) {
        sink.gauge(
                "process_start_time_seconds",
                "When the process started, in seconds since 1970.",
                ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0);
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.UnixOperatingSystemMXBean system) {
            sink.counter(
                    "process_cpu_seconds_total",
                    "Processor time used, in seconds.",
                    system.getProcessCpuTime() / 1e9);
            sink.gauge(
                    "process_open_fds",
                    "Open files.",
                    (double) system.getOpenFileDescriptorCount());
            sink.gauge(
                    "process_max_fds",
                    "The most files that may be open.",
                    (double) system.getMaxFileDescriptorCount());
        }
    }

    private static void memory(MetricsSink sink, String area, MemoryUsage usage) {
        sink.gauge(
                "jvm_memory_used_bytes", "Memory in use.", (double) usage.getUsed(), "area", area);
        sink.gauge(
                "jvm_memory_committed_bytes",
                "Memory taken from the system.",
                (double) usage.getCommitted(),
                "area",
                area);
        if (usage.getMax() >= 0) {
            sink.gauge(
                    "jvm_memory_max_bytes",
                    "The most that can be in use.",
                    (double) usage.getMax(),
                    "area",
                    area);
        }
    }

    private static void buffers(MetricsSink sink) {
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            sink.gauge(
                    "jvm_buffer_pool_used_bytes",
                    "Memory outside the heap in use by buffers.",
                    (double) pool.getMemoryUsed(),
                    "pool",
                    pool.getName());
        }
    }

    private static void collections(MetricsSink sink) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            sink.counter(
                    "jvm_gc_collections_total",
                    "Garbage collections.",
                    (double) Math.max(0, collector.getCollectionCount()),
                    "gc",
                    collector.getName());
            sink.counter(
                    "jvm_gc_collection_seconds_total",
                    "Time spent in garbage collections, in seconds.",
                    Math.max(0, collector.getCollectionTime()) / 1000.0,
                    "gc",
                    collector.getName());
        }
    }

    private static void threads(MetricsSink sink) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        sink.gauge("jvm_threads_current", "Platform threads.", threads.getThreadCount());
        sink.gauge("jvm_threads_daemon", "Daemon threads.", threads.getDaemonThreadCount());
        sink.gauge("jvm_threads_peak", "The most threads so far.", threads.getPeakThreadCount());
    }
}
