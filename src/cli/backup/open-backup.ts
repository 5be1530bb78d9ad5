import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';

/** The bytes of a backup, as they come. */
export function openBackup(path: string): AsyncIterable<Uint8Array> {
  if (path !== '-') return createReadStream(resolve(path), { highWaterMark: 256 * 1024 });
  if (process.stdin.isTTY) throw new Error('a backup is not typed: name a file, or send one');
  return process.stdin;
}
