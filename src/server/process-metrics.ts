import { readdirSync, readFileSync } from 'node:fs';
import type { MetricFamily } from '../http/index.ts';

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

function family(
  kind: MetricFamily['kind'],
  name: string,
  { help, read }: { readonly help: string; readonly read: () => number | undefined },
): MetricFamily {
  return {
    kind,
    name,
    help,
    labelNames: [],
    *read(): Iterable<Sample> {
      const value = read();
      if (value !== undefined) yield { labels: {}, value };
    },
  };
}

/** Process metrics, under the names that Prometheus' client libraries share. Measured only on a scrape. */
export function processMetrics(): readonly MetricFamily[] {
  const startedSeconds = Date.now() / 1_000 - process.uptime();
  const memory = () => process.memoryUsage();
  return [
    family('counter', 'process_cpu_seconds_total', {
      help: 'CPU time in user and system mode, in seconds.',
      read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    }),
    family('gauge', 'process_start_time_seconds', {
      help: 'Start time of the process since the Unix epoch, in seconds.',
      read: () => startedSeconds,
    }),
    family('gauge', 'process_resident_memory_bytes', {
      help: 'Resident memory size in bytes.',
      read: () => memory().rss,
    }),
    family('gauge', 'process_open_fds', { help: 'Number of open file descriptors.', read: openDescriptors }),
    family('gauge', 'process_max_fds', {
      help: 'Maximum number of open file descriptors.',
      read: maxDescriptors,
    }),
    family('gauge', 'nodejs_heap_size_total_bytes', {
      help: 'Size of the V8 heap in bytes.',
      read: () => memory().heapTotal,
    }),
    family('gauge', 'nodejs_heap_size_used_bytes', {
      help: 'Used size of the V8 heap in bytes.',
      read: () => memory().heapUsed,
    }),
    family('gauge', 'nodejs_external_memory_bytes', {
      help: 'Memory of buffers and other objects outside of the V8 heap, in bytes.',
      read: () => memory().external,
    }),
    versionFamily,
  ];
}

const versionFamily: MetricFamily = {
  kind: 'gauge',
  name: 'nodejs_version_info',
  help: 'The version of Node.',
  labelNames: ['version', 'major', 'minor', 'patch'],
  *read(): Iterable<Sample> {
    const [major = '', minor = '', patch = ''] = process.versions.node.split('.');
    yield { labels: { version: process.version, major, minor, patch }, value: 1 };
  },
};

/** Available on Linux only; elsewhere the series is missing. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

function maxDescriptors(): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
