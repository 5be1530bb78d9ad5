import { useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';

/** The last data, or the error of the last attempt. */
interface Polled<T> {
  readonly value: T | undefined;
  readonly error: unknown;
}

export const pollMs = 2_500;

/** Polls while the component is mounted and the page is visible. */
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
