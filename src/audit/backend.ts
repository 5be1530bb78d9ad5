/** An audit event, as JSON. */
export type AuditEvent = string;

/** A destination of audit events. */
export interface AuditBackend {
  /**
   * True if failures do not affect requests. Then a request does not wait until its arrival is written, but its response
   * does: only a request that may still be refused has to wait.
   */
  readonly isForgiving?: boolean;
  /**
   * Resolves when the events are written or queued. `isAwaited` is false if no response waits for them yet: they may be
   * written together with the next ones.
   *
   * @throws if they are lost, also as a rejection
   */
  write(events: readonly AuditEvent[], isAwaited?: boolean): void | Promise<void>;
  /** Writes queued events. */
  close(): Promise<void>;
}
