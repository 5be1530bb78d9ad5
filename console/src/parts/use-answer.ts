import { useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import { useWhileShown } from './use-while-shown.ts';

/** What was asked of the server. */
export interface Answer<T> {
  readonly isLoading: boolean;
  readonly value?: T;
  readonly error?: unknown;
}

/** Asks while the component is shown; anew when one of the inputs changes. The last answer stays until the next one. */
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
