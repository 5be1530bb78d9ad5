import { ApiError } from '../api/api-error.ts';
import { getJson } from '../api/request.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Figure } from '../parts/figure.tsx';
import { metrics, metricsError } from './metrics-feed.ts';
import type { VerbRate } from './request-rates.ts';
import { usePolled } from './use-polled.ts';
import { numbers, TableBox } from '../parts/table-box.tsx';

/** Requests by verb, and those that took long. */
export function RequestsPanel() {
  const view = metrics.value;
  return (
    <>
      {metricsError.value !== undefined && (
        <ErrorNotice title="The metrics cannot be read" error={metricsError.value} />
      )}
      {view !== undefined && (
        <>
          <dl class="figures">
            <Figure name="Requests in a second" value={perSecondText(view.history.at(-1) ?? 0)} />
            <Figure name="Open watches" value={String(view.openWatches)} />
            <Figure name="Open connections" value={String(view.connections)} />
            <Figure name="Memory" value={`${Math.round(view.memoryBytes / 1024 / 1024)} MiB`} />
          </dl>
          <History points={view.history} />
          <VerbTable verbs={view.verbs} />
        </>
      )}
      <SlowRequests />
    </>
  );
}

const [width, height] = [600, 60];

/** The last minutes as a line. */
function History({ points }: { readonly points: readonly number[] }) {
  const most = Math.max(1, ...points);
  const step = width / 59;
  const line = points
    .map(
      (value, at) => `${(at * step).toFixed(1)},${(height - (value / most) * (height - 4) - 2).toFixed(1)}`,
    )
    .join(' ');
  return (
    <svg
      class="history"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Requests in a second, lately at most ${perSecondText(most)}`}
      preserveAspectRatio="none"
    >
      <polyline points={line} />
    </svg>
  );
}

function VerbTable({ verbs }: { readonly verbs: readonly VerbRate[] }) {
  if (verbs.length === 0) return <p class="muted">No request has been counted yet.</p>;
  return (
    <TableBox
      label="Requests by verb"
      headings={[
        'Verb',
        numbers('In a second'),
        numbers('Mean'),
        numbers('99 of 100 within'),
        numbers('Since the start'),
        numbers('Failed (5xx)'),
      ]}
    >
      {verbs.map(({ verb, perSecond, meanMs, slowestMs, total, errors }) => (
        <tr key={verb}>
          <th scope="row">{verb}</th>
          <td class="number">{perSecondText(perSecond)}</td>
          <td class="number">{msText(meanMs)}</td>
          <td class="number">{msText(slowestMs)}</td>
          <td class="number">{total}</td>
          <td class="number">{errors}</td>
        </tr>
      ))}
    </TableBox>
  );
}

function perSecondText(value: number): string {
  return value === 0 ? '0' : value < 10 ? value.toFixed(1) : String(Math.round(value));
}

export function msText(ms: number | undefined): string {
  if (ms === undefined) return '';
  if (!Number.isFinite(ms)) return 'more';
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

interface SlowRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly selector: string;
  readonly code: number;
  readonly ms: number;
  readonly user: string;
  readonly userAgent: string;
}

function SlowRequests() {
  const { value, error } = usePolled((signal) =>
    getJson<{ items: readonly SlowRequest[]; total: number }>('/ilk/v1/server/slow-requests', { signal }),
  );
  return (
    <div>
      <h2>Slow requests</h2>
      {error !== undefined && <SlowTrouble error={error} />}
      {value?.items.length === 0 && <p class="muted">None so far.</p>}
      {value !== undefined && value.items.length > 0 && (
        <TableBox label="Slow requests" headings={['Time', 'Request', numbers('Took'), 'Code', 'User']}>
          {value.items.toReversed().map((slow, at) => (
            <tr key={`${slow.time} ${at}`}>
              <td>{slow.time}</td>
              <td class="wrap" dir="auto">
                {slow.method} {slow.path} {slow.selector}
              </td>
              <td class="number">{slow.ms} ms</td>
              <td>{slow.code}</td>
              <td class="wrap" dir="auto" title={slow.userAgent}>
                {slow.user}
              </td>
            </tr>
          ))}
        </TableBox>
      )}
    </div>
  );
}

function SlowTrouble({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== 404)
    return <ErrorNotice title="Slow requests cannot be read" error={error} />;
  return (
    <p class="muted">
      This server notes no slow requests: <code>ilk serve --slow-request-threshold 500</code> notes those that
      take half a second or more.
    </p>
  );
}
