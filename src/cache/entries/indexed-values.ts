/** The values of an entry in an index: one bucket, or several different ones. */
export type Buckets = string | readonly string[];

/** The values that an index source has read from an entry, linked to those of other sources. */
export interface IndexedValues {
  /** The source; compared by identity. */
  readonly source: object;
  readonly buckets: readonly Buckets[];
  readonly next: IndexedValues | undefined;
}

/** Whether both hold the same buckets, in the order of the entry. */
export function sameBuckets(a: Buckets | undefined, b: Buckets | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || typeof a === 'string' || typeof b === 'string') return false;
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

/** Visits each bucket. */
export function eachBucket(buckets: Buckets, visit: (bucket: string) => void): void {
  if (typeof buckets === 'string') visit(buckets);
  else for (const bucket of buckets) visit(bucket);
}
