import { sortKey } from '../key-order.ts';
import { type KeyRange, StoreError } from '../store.ts';

/** The bytes of a range as etcd takes them. */
export interface ByteRange {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

/** etcd's way of saying: every key there is. */
export const everyKey: ByteRange = Object.freeze({ key: new Uint8Array(1), rangeEnd: new Uint8Array(1) });

/**
 * Maps the keys of a store to keys in etcd, by replacing a prefix.
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
    this.#prefix = normalPrefix(prefix);
    this.#prefixBytes = Buffer.from(`${this.#prefix}/`);
    this.all = { key: this.#prefixBytes, rangeEnd: Buffer.from(`${this.#prefix}0`) };
  }

  /** @throws {StoreError} `refused` for a key that is not below the root */
  toEtcd(key: string): Buffer {
    if (!key.startsWith(`${this.#root}/`)) {
      throw new StoreError('refused', `${JSON.stringify(key)} does not begin with ${this.#root}/`);
    }
    return this.#mapped(key);
  }

  /** The part of a range that is below the root; other keys do not exist. */
  rangeToEtcd({ start, end }: KeyRange): ByteRange {
    return { key: this.#boundToEtcd(start), rangeEnd: this.#boundToEtcd(end) };
  }

  #boundToEtcd(bound: string): Uint8Array {
    const place = sortKey(bound);
    if (place <= sortKey(`${this.#root}/`)) return this.all.key;
    return place >= sortKey(`${this.#root}0`) ? this.all.rangeEnd : this.#mapped(bound);
  }

  #mapped(key: string): Buffer {
    return Buffer.from(this.#prefix + key.slice(this.#root.length));
  }

  /** The key of the store; undefined for a key of another program. */
  fromEtcd(key: Uint8Array): string | undefined {
    const prefix = this.#prefixBytes;
    const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
    if (!bytes.subarray(0, prefix.length).equals(prefix)) return undefined;
    return this.#root + bytes.toString('utf8', prefix.length - 1);
  }
}

/** One slash in front and none behind, as upstream reads a prefix. `tenants/a/` -> `/tenants/a` */
function normalPrefix(prefix: string): string {
  const steps = prefix.split('/').filter((step) => step !== '');
  return steps.map((step) => `/${step}`).join('');
}
