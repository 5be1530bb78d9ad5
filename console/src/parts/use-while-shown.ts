import { useEffect } from 'preact/hooks';

/** Runs an effect while the component is mounted; restarts it when an input changes. */
export function useWhileShown(run: (signal: AbortSignal) => void, inputs: readonly unknown[]): void {
  useEffect(() => {
    const controller = new AbortController();
    run(controller.signal);
    return () => controller.abort();
  }, inputs);
}
