import { listenForAbort } from './listen-for-abort.ts';

/**
 * Runs work with a signal that aborts with the first of several. Unlike `AbortSignal.any`, which on Node 20 leaves an
 * entry on signals that live longer, nothing stays on them when the work is over.
 */
export async function untilAnyAborts<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [either, over] = [new AbortController(), new AbortController()];
  for (const cause of signals) listenForAbort(cause, () => either.abort(cause.reason), over.signal);
  try {
    return await work(either.signal);
  } finally {
    over.abort();
  }
}
