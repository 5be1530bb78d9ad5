import { useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { getJson } from '../api/request.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { usePolled } from './use-polled.ts';
import { TableBox } from '../parts/table-box.tsx';

/** An event of `audit.k8s.io/v1`, as far as the table shows it. */
interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly stageTimestamp: string;
  readonly user?: { readonly username?: string };
  readonly responseStatus?: { readonly code?: number };
}

const rowsMax = 200;

/** The last events of the audit log. */
export function AuditPanel() {
  const [search, setSearch] = useState('');
  const { value, error } = usePolled((signal) =>
    getJson<{ items: readonly AuditEvent[]; total: number }>('/ilk/v1/server/audit-events', { signal }),
  );
  if (error instanceof ApiError && error.code === 404) {
    return (
      <EmptyState title="This server writes no audit log">
        <p>
          <code>ilk serve --audit-policy-file policy.yaml --audit-log-path audit.log</code> writes one; its
          last events show here.
        </p>
      </EmptyState>
    );
  }
  if (error !== undefined) return <ErrorNotice title="The audit log cannot be read" error={error} />;
  if (value === undefined) return <div class="starting" role="status" aria-label="Loading" />;
  const text = search.toLowerCase();
  const found = value.items.toReversed().filter((event) => lineOf(event).toLowerCase().includes(text));
  return (
    <>
      <input
        class="input"
        type="search"
        aria-label="Search events"
        placeholder="User, verb or path…"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <p class="muted">
        {found.length} of the last {value.items.length} events, {value.total} since the start. The audit log
        has all.
      </p>
      <EventTable events={found.slice(0, rowsMax)} />
    </>
  );
}

function lineOf({ user, verb, requestURI, stage }: AuditEvent): string {
  return `${user?.username ?? ''} ${verb} ${requestURI} ${stage}`;
}

function EventTable({ events }: { readonly events: readonly AuditEvent[] }) {
  return (
    <TableBox label="Audit events" headings={['Time', 'User', 'Verb', 'Request', 'Stage', 'Code']}>
      {events.map((event) => (
        <tr key={`${event.auditID} ${event.stage}`}>
          <td>{event.stageTimestamp.replace(/\.\d+Z$/, 'Z')}</td>
          <td class="wrap" dir="auto">
            {event.user?.username}
          </td>
          <td>{event.verb}</td>
          <td class="wrap" dir="auto">
            {event.requestURI}
          </td>
          <td>{event.stage}</td>
          <td>{event.responseStatus?.code}</td>
        </tr>
      ))}
    </TableBox>
  );
}
