/**
 * Calls back when a signal aborts, until another one does. The option `signal` of `addEventListener` does not take the
 * listener away where the first signal lives long: Node holds what takes it away in a WeakMap by signal, so the next
 * listener of the same signal makes it garbage.
 *
 * @param until ends the listening
 */
export function listenForAbort(signal: AbortSignal, call: () => void, until: AbortSignal): void {
  if (until.aborted) return;
  if (signal.aborted) return call();
  signal.addEventListener('abort', call, { once: true });
  until.addEventListener('abort', () => signal.removeEventListener('abort', call), { once: true });
}
