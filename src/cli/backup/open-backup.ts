import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The bytes of a backup, as a stream. @throws {Error} for a missing file, and for a terminal */
export async function openBackup(path: string): Promise<AsyncIterable<Uint8Array>> {
  if (path !== '-') {
    const file = resolve(path);
    await access(file).catch((error) => {
      throw new Error(`${path}: no such file, or one that cannot be read`, { cause: error });
    });
    return bytesOf(file);
  }
  if (process.stdin.isTTY) throw new Error('a backup is not typed: name a file, or send one');
  return process.stdin;
}

/** Opened on the first read: an error of a stream without a reader would be unhandled. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: 256 * 1024 });
}
