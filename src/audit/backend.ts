/** An audit event, as JSON. */
export type AuditEvent = string;

/** Where audit events go. */
export interface AuditBackend {
  /** Resolves when the events are where they belong, or are taken on. @throws where they are lost, also as a rejection */
  write(events: readonly AuditEvent[]): void | Promise<void>;
  /** Writes what is held back. */
  close(): Promise<void>;
}
