import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, limits } from '../../meta/index.ts';
import { makeSigningKeyPem, readSigningKey, type SigningKey, type SigningKeys } from './signing-keys.ts';

const fileName = /^([0-9]{1,15})\.key$/;

interface DatedKey {
  readonly madeAtMs: number;
  readonly key: SigningKey;
}

/**
 * The signing keys of a folder: one file per key, named after its creation time. When the newest key is older than
 * `limits.signingKeyAgeMsMax`, a new one is created; it signs after verifiers have had time to fetch it. Old keys
 * verify as long as their file exists; added and removed files are noticed.
 */
export class KeyFolder implements SigningKeys {
  readonly #folder: string;
  readonly #clock: Clock;
  #keys: readonly DatedKey[] = [];
  #seenAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async signer(): Promise<SigningKey> {
    await this.#look();
    const oldEnough = this.#clock.now() - limits.signingKeyPublishedMs;
    const oldest = this.#keys.at(-1);
    const chosen = this.#keys.find(({ madeAtMs }) => madeAtMs <= oldEnough) ?? oldest;
    if (chosen === undefined) throw new Error(`${this.#folder} has no key`);
    return chosen.key;
  }

  async all(): Promise<readonly SigningKey[]> {
    await this.#look();
    return this.#keys.map(({ key }) => key);
  }

  /** Concurrent callers share one read; the folder is read periodically. */
  async #look(): Promise<void> {
    if (Math.abs(this.#clock.now() - this.#seenAtMs) < limits.signingKeysAgeMsMax) return;
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #read(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    let keys = await this.#readKeys();
    const newest = keys[0]?.madeAtMs ?? Number.NEGATIVE_INFINITY;
    if (this.#clock.now() - newest > limits.signingKeyAgeMsMax) {
      await this.#makeKey();
      keys = await this.#readKeys();
    }
    this.#keys = keys;
    this.#seenAtMs = this.#clock.now();
  }

  /** Newest first. */
  async #readKeys(): Promise<DatedKey[]> {
    const found: DatedKey[] = [];
    for (const name of await readdir(this.#folder)) {
      const madeAtMs = Number(fileName.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(madeAtMs)) continue;
      found.push({ madeAtMs, key: await this.#readKey(name) });
    }
    return found.sort((a, b) => b.madeAtMs - a.madeAtMs);
  }

  async #readKey(name: string): Promise<SigningKey> {
    const path = join(this.#folder, name);
    try {
      return readSigningKey(await readFile(path, 'utf8'));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${path} cannot be used as a key: ${why}`, { cause: error });
    }
  }

  /**
   * The file appears atomically and never overwrites another: if two servers create a key at once, both keys are kept.
   */
  async #makeKey(): Promise<void> {
    const unfinished = join(this.#folder, `.${randomUUID()}`);
    try {
      await writeFile(unfinished, await makeSigningKeyPem(), { mode: 0o600, flag: 'wx' });
      await link(unfinished, join(this.#folder, `${this.#clock.now()}.key`));
    } finally {
      await rm(unfinished, { force: true });
    }
  }
}
