import { type ListOptions, type Revision, StoreError } from '../store.ts';
import { isTooLargeAnswer } from './etcd-error.ts';
import type { ByteRange } from './key-map.ts';
import type { KeyValue, RangeRequest, RangeResponse } from './messages.ts';

interface PageReaderParts {
  readonly read: (request: RangeRequest) => Promise<RangeResponse>;
  readonly pageRecordsMax: number;
}

interface ReadRange {
  readonly keyValues: readonly KeyValue[];
  readonly revision: Revision;
  /** How many keys there are in the whole range. */
  readonly count: number;
}

/** Follows a key in the order of bytes. */
const nul = Buffer.from([0]);

/** Reads a range in pages, all of the revision of the first one. */
export class PageReader {
  readonly #read: PageReaderParts['read'];
  #pageMax: number;

  constructor({ read, pageRecordsMax }: PageReaderParts) {
    this.#read = read;
    this.#pageMax = pageRecordsMax;
  }

  async read(range: ByteRange, options: ListOptions): Promise<ReadRange> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const first = await this.#page({ ...range, revision: options.revision ?? 0 }, limit);
    const { count } = first;
    const revision = options.revision ?? first.revision;
    const keyValues = [...first.keyValues];
    let { more } = first;
    while (more && keyValues.length < limit) {
      const key = Buffer.concat([keyValues.at(-1)?.key ?? nul, nul]);
      const page = await this.#page({ ...range, key, revision }, limit - keyValues.length);
      for (const keyValue of page.keyValues) keyValues.push(keyValue);
      more = page.more && page.keyValues.length > 0;
    }
    return { keyValues, revision, count };
  }

  /** One page; half of it where that was more than an answer may hold, from then on. */
  async #page(request: RangeRequest, limit: number): Promise<RangeResponse> {
    for (;;) {
      const wanted = Math.min(this.#pageMax, limit);
      try {
        return await this.#read({ ...request, limit: wanted });
      } catch (error) {
        const tooLarge = error instanceof StoreError && isTooLargeAnswer(error.cause);
        if (!tooLarge || wanted === 1) throw error;
        this.#pageMax = Math.ceil(wanted / 2);
      }
    }
  }
}
