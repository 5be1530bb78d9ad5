/** An audit event, as JSON. */
export type AuditEvent = string;

/** A destination of audit events. */
export interface AuditBackend {
  /** Resolves when the events are written or queued. @throws if they are lost, also as a rejection */
  write(events: readonly AuditEvent[]): void | Promise<void>;
  /** Writes queued events. */
  close(): Promise<void>;
}
