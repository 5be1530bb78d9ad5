import { useEffect } from 'preact/hooks';

/** Runs something for as long as the component is shown; starts over when one of the inputs changes. */
export function useWhileShown(run: (signal: AbortSignal) => void, inputs: readonly unknown[]): void {
  useEffect(() => {
    const controller = new AbortController();
    run(controller.signal);
    return () => controller.abort();
  }, inputs);
}
