import type { AuditBackend, AuditEvent } from '../backend.ts';

/** Writes a line for each event to the standard output. */
export class StandardOutput implements AuditBackend {
  write(events: readonly AuditEvent[]): void {
    process.stdout.write(events.map((event) => `${event}\n`).join(''));
  }

  async close(): Promise<void> {}
}
