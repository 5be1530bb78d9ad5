import { type KeyRange, type ListOptions, type ListResult, StoreError, type StoredRecord } from '../store.ts';
import { threadLimits } from './limits.ts';
import type { Call } from './owner-port.ts';
import { readPageRecord, request } from './wire.ts';

/** A page that the owner made. */
interface Page {
  readonly revision: number;
  /** The keys of the range from the start of the page on. */
  readonly count: number;
  readonly records: readonly StoredRecord[];
}

type Ask = (call: Call<Page>) => Promise<Page>;

/** How often a list of the current state starts again because its revision was compacted between two pages. */
const startsMax = 3;

/** Reads a list in pages, all at the revision of the first one. */
export async function readPages(ask: Ask, range: KeyRange, options: ListOptions): Promise<ListResult> {
  for (let start = 1; ; start++) {
    try {
      return await readOnce(ask, range, options);
    } catch (error) {
      const isGone = error instanceof StoreError && error.code === 'compacted';
      if (!isGone || options.revision !== undefined || start === startsMax) throw error;
    }
  }
}

async function readOnce(ask: Ask, range: KeyRange, options: ListOptions): Promise<ListResult> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const records: StoredRecord[] = [];
  let wanted = Math.min(threadLimits.firstPageRecords, limit);
  let page = await readPage(ask, { ...options, ...range, limit: wanted });
  const { revision, count } = page;
  for (;;) {
    for (const record of page.records) records.push(record);
    const last = page.records.at(-1);
    const more = page.records.length < page.count;
    if (last === undefined || !more || records.length >= limit) {
      const isCounted = options.counted !== false;
      return { records, revision, count: isCounted ? count : records.length + Number(more), more };
    }
    // A page that was cut has large records, and so may the next one.
    wanted = Math.min(2 * page.records.length, threadLimits.pageRecordsMax, limit - records.length);
    const rest = { start: `${last.key}\0`, end: range.end };
    page = await readPage(ask, { ...options, ...rest, revision, limit: wanted, counted: false });
  }
}

function readPage(
  ask: Ask,
  { start, end, revision, limit = 0, counted = true, signal }: KeyRange & ListOptions,
): Promise<Page> {
  return ask({
    kind: request.list,
    write: (batch) => batch.add(start, end, revision ?? null, limit, Number(counted)),
    signal,
    read: (reply) => {
      const at = reply.number();
      const count = reply.number();
      const sent = reply.number();
      return { revision: at, count, records: Array.from({ length: sent }, () => readPageRecord(reply)) };
    },
  });
}
