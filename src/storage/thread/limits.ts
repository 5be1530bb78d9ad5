/** The bounds of what crosses between threads. docs/reference/limits.md lists them. */
export const threadLimits = Object.freeze({
  /** Records in one page of a list; the first page has `firstPageRecords`, and each further one at most twice as many. */
  pageRecordsMax: 1_000,
  firstPageRecords: 128,
  /** A page, and a piece of a stream of changes, ends with the value that reaches this many bytes. */
  pageBytesMax: 1024 * 1024,
  /** Events sent on one stream of changes and not yet taken; the stream then waits, and reads the store's log later. */
  unreadEventsMax: 4_000,
  /** The same in bytes of values. */
  unreadBytesMax: 8 * 1024 * 1024,
  /** The latest events that each worker keeps for watches that begin in the past or are slow ... */
  windowEventsMax: 2_000,
  /** ... and their bytes; older ones are read from the owner's log. */
  windowBytesMax: 8 * 1024 * 1024,
});

export type ThreadLimits = typeof threadLimits;
