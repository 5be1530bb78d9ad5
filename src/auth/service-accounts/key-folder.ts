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
 * The keys of a folder: a file for each, named after the moment it was made. A new one is made when the newest is older than
 * `limits.signingKeyAgeMsMax`, and signs once those who check tokens had time to hear of it. Old ones count as long as their
 * file is there; files that come and go are noticed.
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

  /** Many may ask at once; the folder is read now and then. */
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

  /** The newest first. */
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

  /** It appears whole, and never over one that is there: of two servers that make one at once, both do. */
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
