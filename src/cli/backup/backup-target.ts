import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readBackup } from '../../storage/index.ts';

/** The destination of a backup. */
interface BackupTarget {
  readonly name: string;
  write(text: string): Promise<void>;
  /** Syncs the backup to disk, reads it once more, and makes it visible. */
  finish(): Promise<void>;
  /** Removes an unfinished backup. */
  close(): Promise<void>;
}

/** @throws {Error} for an existing file, and for a terminal */
export async function openTarget(path: string): Promise<BackupTarget> {
  return path === '-' ? standardOutput() : FileTarget.open(resolve(path));
}

function standardOutput(): BackupTarget {
  if (process.stdout.isTTY)
    throw new Error('a backup is not for a terminal: name a file, or send it somewhere');
  return {
    name: 'standard output',
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    finish: async () => {},
    close: async () => {},
  };
}

type Handle = Awaited<ReturnType<typeof open>>;

/** A file that gets its name only when it is complete. */
class FileTarget implements BackupTarget {
  readonly name: string;
  readonly #unfinished: string;
  readonly #file: Handle;

  private constructor(path: string, unfinished: string, file: Handle) {
    this.name = path;
    this.#unfinished = unfinished;
    this.#file = file;
  }

  static async open(path: string): Promise<FileTarget> {
    if (await exists(path)) throw new Error(`${path} is there already: nothing is replaced`);
    const unfinished = `${path}.${process.pid}.unfinished`;
    await rm(unfinished, { force: true });
    return new FileTarget(path, unfinished, await open(unfinished, 'wx', 0o600));
  }

  async write(text: string): Promise<void> {
    await this.#file.writeFile(text);
  }

  async finish(): Promise<void> {
    await this.#file.sync();
    await verify(this.#unfinished);
    // Unlike a rename, this replaces no file that was created meanwhile.
    await link(this.#unfinished, this.name);
    const folder = await open(dirname(this.name), 'r');
    await folder.sync().finally(() => folder.close());
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#unfinished, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return open(path, 'r').then(
    (file) => file.close().then(() => true),
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

/** @throws {StoreError} `refused` if the disk has other bytes than were written */
async function verify(path: string): Promise<void> {
  for await (const _ of readBackup(createReadStream(path)));
}
