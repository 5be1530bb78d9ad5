import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Clock, limits, type Timers } from '../../meta/index.ts';
import { type ReloadedConfiguration, ReloadMetrics } from '../../server.ts';
import { reasonOf } from './flag-file.ts';

/** Shared options of configuration files that are reloaded. */
export interface Reloading {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly metrics: ReloadMetrics;
  /** Called with each new content that takes effect. */
  readonly onReload: (text: string) => void;
  /** Called with the reason why a new content is refused. */
  readonly onTrouble: (error: unknown) => void;
}

interface FollowedFile {
  readonly what: ReloadedConfiguration;
  readonly flag: string;
  readonly path: string;
  /** The initial content. */
  readonly text: string;
  /** Applies a new content, or throws and keeps the old one. */
  readonly use: (text: string) => Promise<void> | void;
}

/** Rereads a file at an interval. An invalid content is reported once, and the previous one stays in effect. */
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
        // A missing file is reported on each read.
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

/** Distinguishes this machine's metrics from others'. */
export function reloadMetrics(): ReloadMetrics {
  const hash = createHash('sha256').update(hostname()).digest('hex');
  return new ReloadMetrics({ serverHash: `sha256:${hash}` });
}
