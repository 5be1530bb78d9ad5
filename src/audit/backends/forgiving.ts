import type { AuditBackend } from '../backend.ts';

/** A backend whose failures do not affect requests: the mode `blocking`. */
export function forgiving(inner: AuditBackend, onTrouble: (error: unknown) => void): AuditBackend {
  return {
    isForgiving: true,
    write(events, isAwaited) {
      try {
        const written = inner.write(events, isAwaited);
        return written instanceof Promise ? written.catch(onTrouble) : written;
      } catch (error) {
        onTrouble(error);
      }
    },
    close: () => inner.close(),
  };
}
