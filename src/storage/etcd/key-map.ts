import { type KeyRange, StoreError } from '../store.ts';

/** The bytes of a range as etcd takes them. */
export interface ByteRange {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

/** etcd's way of saying: every key there is. */
export const everyKey: ByteRange = Object.freeze({ key: new Uint8Array(1), rangeEnd: new Uint8Array(1) });

/**
 * The keys of a store, and where they are in etcd: one beginning takes the place of another.
 *
 * @example new KeyMap({ root: '/registry', prefix: '/tenant-a' }).toEtcd('/registry/x') // /tenant-a/x
 */
export class KeyMap {
  readonly #root: string;
  readonly #prefix: string;
  readonly #prefixBytes: Buffer;
  /** Everything that is ours, for a watch. */
  readonly all: ByteRange;

  constructor({ root, prefix }: { readonly root: string; readonly prefix: string }) {
    this.#root = root;
    this.#prefix = prefix;
    this.#prefixBytes = Buffer.from(`${prefix}/`);
    this.all = { key: this.#prefixBytes, rangeEnd: Buffer.from(`${prefix}0`) };
  }

  toEtcd(key: string): Buffer {
    if (!key.startsWith(this.#root)) {
      throw new StoreError('refused', `${JSON.stringify(key)} does not begin with ${this.#root}`);
    }
    return Buffer.from(this.#prefix + key.slice(this.#root.length));
  }

  rangeToEtcd({ start, end }: KeyRange): ByteRange {
    return { key: this.toEtcd(start), rangeEnd: this.toEtcd(end) };
  }

  /** The key of the store; undefined for somebody else's. */
  fromEtcd(key: Uint8Array): string | undefined {
    const prefix = this.#prefixBytes;
    const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
    if (!bytes.subarray(0, prefix.length).equals(prefix)) return undefined;
    return this.#root + bytes.toString('utf8', prefix.length - 1);
  }
}
