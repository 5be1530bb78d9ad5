import { useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';

/** What was read last; the error instead, where the last try failed. */
export interface Polled<T> {
  readonly value: T | undefined;
  readonly error: unknown;
}

export const pollMs = 2_500;

/** Reads again and again while the page is shown and not hidden. */
export function usePolled<T>(
  read: (abort: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>({ value: undefined, error: undefined });
  useWhileShown((abort) => void poll(read, setPolled, abort), inputs);
  return polled;
}

async function poll<T>(
  read: (abort: AbortSignal) => Promise<T>,
  setPolled: (polled: Polled<T>) => void,
  abort: AbortSignal,
): Promise<void> {
  while (!abort.aborted) {
    if (!document.hidden) {
      try {
        const value = await read(abort);
        if (!abort.aborted) setPolled({ value, error: undefined });
      } catch (error) {
        if (!isAborted(error)) setPolled({ value: undefined, error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
