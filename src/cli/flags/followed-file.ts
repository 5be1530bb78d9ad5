import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Clock, limits, type Timers } from '../../meta/index.ts';
import { type ReloadedConfiguration, ReloadMetrics } from '../../server.ts';
import { reasonOf } from './flag-file.ts';

/** What configuration files that are read again have in common. */
export interface Reloading {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly metrics: ReloadMetrics;
  /** Told of each new content that counts from now on. */
  readonly onReload: (text: string) => void;
  /** Told why a new content does not count. */
  readonly onTrouble: (error: unknown) => void;
}

interface FollowedFile {
  readonly what: ReloadedConfiguration;
  readonly flag: string;
  readonly path: string;
  /** What was read of it at first. */
  readonly text: string;
  /** Takes a new content, or throws and leaves the old one in force. */
  readonly use: (text: string) => Promise<void> | void;
}

/** Reads a file again and again. A content that cannot be used is told of once, and what was before stays in force. */
export function followFile(file: FollowedFile, reloading: Reloading): void {
  const { what, flag, path, use } = file;
  const { clock, timers, metrics, onReload, onTrouble } = reloading;
  let text = file.text;
  let reading = false;
  const look = async () => {
    const now = await readFile(path, 'utf8');
    if (now === text) return;
    text = now;
    await use(now);
    metrics.observe(what, 'success', clock.now());
    onReload(`${flag} ${path}: read again`);
  };
  let fault = '';
  timers.every(limits.configPollMs, () => {
    if (reading) return;
    reading = true;
    const done = look().then(
      () => {
        fault = '';
      },
      (error: unknown) => {
        const why = `${flag} ${path}: ${reasonOf(error)}`;
        // A file that is gone is gone each time.
        if (why === fault) return;
        fault = why;
        metrics.observe(what, 'failure', clock.now());
        onTrouble(new Error(why, { cause: error }));
      },
    );
    void done.finally(() => {
      reading = false;
    });
  });
}

/** What tells this machine's metrics from others'. */
export function reloadMetrics(): ReloadMetrics {
  const hash = createHash('sha256').update(hostname()).digest('hex');
  return new ReloadMetrics({ serverHash: `sha256:${hash}` });
}
