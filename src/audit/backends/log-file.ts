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

interface Waiting {
  readonly lines: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes a line for each event, and rotates full files to a name with the time: `audit-2026-11-22T13-40-00.000.log`.
 * A line is written to the system before the request continues. The first line of an event loop turn is written at
 * once, the others of that turn together at its end: a system call costs more than a line. Source: apiserver,
 * plugin/pkg/audit/log; lumberjack.
 */
export class LogFile implements AuditBackend {
  readonly #options: LogFileOptions;
  #file: number;
  #bytes: number;
  #closed = false;
  /** Lines waiting for the end of the turn; undefined if none was written in it. */
  #turn: Waiting[] | undefined;

  /** @throws the system's error for a file that cannot be written */
  constructor(options: LogFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    this.#file = openSync(options.path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  write(events: readonly AuditEvent[]): void | Promise<void> {
    const turn = this.#turn;
    if (turn !== undefined)
      return new Promise((resolve, reject) => {
        turn.push({ lines: events.map((event) => `${event}\n`), resolve, reject });
      });
    this.#turn = [];
    setImmediate(() => this.#endTurn());
    for (const event of events) this.#writeLine(`${event}\n`);
  }

  async close(): Promise<void> {
    this.#endTurn();
    if (!this.#closed) closeSync(this.#file);
    this.#closed = true;
  }

  #endTurn(): void {
    const waiting = this.#turn ?? [];
    this.#turn = undefined;
    if (waiting.length === 0) return;
    try {
      this.#writeLines(waiting.flatMap(({ lines }) => lines));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    for (const { resolve } of waiting) resolve();
  }

  /** With as few system calls as the maximum file size allows. */
  #writeLines(lines: readonly string[]): void {
    let text = '';
    let bytes = this.#bytes;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (text !== '' && bytes + length > this.#options.bytesMax) {
        this.#writeLine(text);
        text = '';
        bytes = 0;
      }
      text += line;
      bytes += length;
    }
    this.#writeLine(text);
  }

  #writeLine(line: string): void {
    const length = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + length > this.#options.bytesMax) this.#rotate();
    let at = writeSync(this.#file, line);
    if (at < length) {
      const bytes = Buffer.from(line);
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
