import { readFileSync } from 'node:fs';
import { prefixRange, type Store } from '../../src/storage/index.ts';

/** Work to do with a store. */
export interface Job {
  readonly kind: 'commit' | 'get' | 'list';
  readonly count: number;
  /** Of keys; with `commit`, a new one each time. */
  readonly prefix: string;
  readonly valueBytes: number;
  readonly inFlight: number;
}

/** Repeats a job with a number of calls in flight. */
export async function work(store: Store, job: Job): Promise<void> {
  const value = new Uint8Array(job.valueBytes).fill(120);
  let next = 0;
  const one = async () => {
    while (next < job.count) await call(store, job, { number: next++, value });
  };
  await Promise.all(Array.from({ length: job.inFlight }, one));
}

async function call(store: Store, job: Job, { number, value }: { number: number; value: Uint8Array }) {
  const key = `${job.prefix}object-${number}`;
  if (job.kind === 'get') await store.get(key);
  else if (job.kind === 'list') await store.list(prefixRange(job.prefix));
  else {
    const result = await store.commit({ key, value, expect: 0 });
    if (!result.ok) throw new Error(`${key} is there`);
  }
}

/** The CPU time of the calling thread; NaN where Linux does not tell. */
export function cpuOfThreadUs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000;
  } catch {
    return Number.NaN;
  }
}
