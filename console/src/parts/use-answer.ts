import { useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import { useWhileShown } from './use-while-shown.ts';

/** The state of a request. */
interface Answer<T> {
  readonly isLoading: boolean;
  readonly value?: T;
  readonly error?: unknown;
}

/**
 * Sends a request while the component is mounted, and again when an input changes. The last response is kept until the
 * next.
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ isLoading: true });
  useWhileShown((signal) => {
    ask(signal).then(
      (value) => setAnswer({ isLoading: false, value }),
      (error: unknown) => {
        if (!isAborted(error)) setAnswer({ isLoading: false, error });
      },
    );
  }, inputs);
  return answer;
}
