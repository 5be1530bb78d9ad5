import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock } from '../../meta/index.ts';
import type { AuditBackend, AuditEvent } from '../backend.ts';

interface LogFileOptions {
  readonly path: string;
  /** The maximum size of a file before it is rotated. */
  readonly bytesMax: number;
  /** The maximum number of rotated files; 0 keeps all. */
  readonly backupsMax: number;
  /** The maximum age of rotated files; 0 keeps all. */
  readonly ageMsMax: number;
  readonly clock: Clock;
}

/** Lines that are written together. */
interface Batch {
  readonly lines: string[];
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  isAwaited: boolean;
}

/**
 * Writes a line for each event, and rotates full files to a name with the time: `audit-2026-11-22T13-40-00.000.log`.
 * Awaited lines are written when the microtasks are done, in which all requests of a commit end: one system
 * call for all of them. To wait for the end of the turn would tear apart requests that share a commit. Other lines
 * wait at most for the end of the turn. Source: apiserver, plugin/pkg/audit/log; lumberjack.
 */
export class LogFile implements AuditBackend {
  readonly #options: LogFileOptions;
  #file: number;
  #bytes: number;
  #closed = false;
  /** Undefined if no line waits. */
  #batch: Batch | undefined;

  /** @throws the system's error for a file that cannot be written */
  constructor(options: LogFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    this.#file = openSync(options.path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  /** Resolves when the lines are with the system. */
  write(events: readonly AuditEvent[], isAwaited = true): Promise<void> {
    this.#batch ??= this.#beginBatch();
    const batch = this.#batch;
    for (const event of events) batch.lines.push(`${event}\n`);
    if (isAwaited && !batch.isAwaited) {
      batch.isAwaited = true;
      process.nextTick(() => this.#end(batch));
    }
    return batch.written;
  }

  async close(): Promise<void> {
    this.#end(this.#batch);
    if (!this.#closed) closeSync(this.#file);
    this.#closed = true;
  }

  #beginBatch(): Batch {
    let [resolve, reject]: [Batch['resolve'], Batch['reject']] = [() => {}, () => {}];
    const written = new Promise<void>((...settle) => {
      [resolve, reject] = settle;
    });
    const batch: Batch = { lines: [], written, resolve, reject, isAwaited: false };
    setImmediate(() => this.#end(batch));
    return batch;
  }

  /** Writes a batch, unless that was done. */
  #end(batch: Batch | undefined): void {
    if (batch === undefined || batch !== this.#batch) return;
    this.#batch = undefined;
    try {
      this.#writeLines(batch.lines);
    } catch (error) {
      batch.reject(error);
      return;
    }
    batch.resolve();
  }

  /** With as few system calls as the maximum file size allows. */
  #writeLines(lines: readonly string[]): void {
    let text = '';
    let bytes = 0;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (bytes > 0 && this.#bytes + bytes + length > this.#options.bytesMax) {
        this.#writeText(text, bytes);
        text = '';
        bytes = 0;
      }
      text += line;
      bytes += length;
    }
    this.#writeText(text, bytes);
  }

  #writeText(text: string, length: number): void {
    if (this.#bytes > 0 && this.#bytes + length > this.#options.bytesMax) this.#rotate();
    let at = writeSync(this.#file, text);
    if (at < length) {
      const bytes = Buffer.from(text);
      while (at < length) at += writeSync(this.#file, bytes, at);
    }
    this.#bytes += length;
  }

  #rotate(): void {
    const { path } = this.#options;
    // An administrator may have moved the file away.
    if (existsSync(path)) renameSync(path, this.#freeName());
    const next = openSync(path, 'a', 0o600);
    // Closed last: if a step fails, the descriptor must not be closed and reused for another file.
    closeSync(this.#file);
    this.#file = next;
    this.#bytes = 0;
    this.#removeOld();
  }

  /** Two files that are full within a millisecond get successive names. */
  #freeName(): string {
    const { path, clock } = this.#options;
    const taken = new Set(readdirSync(dirname(path)));
    for (let ms = clock.now(); ; ms += 1) {
      const name = `${this.#stem}${new Date(ms).toISOString().slice(0, -1).replaceAll(':', '-')}${extname(path)}`;
      if (!taken.has(name)) return join(dirname(path), name);
    }
  }

  get #stem(): string {
    const { path } = this.#options;
    return `${basename(path, extname(path))}-`;
  }

  #removeOld(): void {
    const { path, backupsMax, ageMsMax, clock } = this.#options;
    const folder = dirname(path);
    const newestFirst = readdirSync(folder)
      .flatMap((name) => {
        const putAsideMs = this.#momentOf(name);
        return putAsideMs === undefined ? [] : [{ name, putAsideMs }];
      })
      .sort((a, b) => b.putAsideMs - a.putAsideMs);
    for (const [index, { name, putAsideMs }] of newestFirst.entries()) {
      const tooMany = backupsMax > 0 && index >= backupsMax;
      const tooOld = ageMsMax > 0 && clock.now() - putAsideMs > ageMsMax;
      if (tooMany || tooOld) rmSync(join(folder, name), { force: true });
    }
  }

  /** The time of the rotation; undefined for other files. */
  #momentOf(name: string): number | undefined {
    const extension = extname(this.#options.path);
    if (!name.startsWith(this.#stem) || !name.endsWith(extension)) return undefined;
    const text = name.slice(this.#stem.length, name.length - extension.length);
    const found = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text);
    return found === null ? undefined : Date.parse(`${found[1]}:${found[2]}:${found[3]}Z`);
  }
}
