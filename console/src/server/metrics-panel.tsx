import { useState } from 'preact/hooks';
import { CopyLine } from '../parts/copy-line.tsx';
import { metrics } from './metrics-feed.ts';

const linesMax = 1_000;

/** The metrics as scrapers get them. A browser that follows a link to them is anonymous: see docs/console.md. */
export function MetricsPanel() {
  const [search, setSearch] = useState('');
  const lines = (metrics.value?.text ?? '').split('\n').filter((line) => line.includes(search));
  return (
    <>
      <CopyLine text="kubectl get --raw /metrics" />
      <input
        class="input"
        type="search"
        aria-label="Search metrics"
        placeholder="apiserver_request_total"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {lines.length > linesMax && <p class="muted">{lines.length - linesMax} further lines are not shown.</p>}
      <pre class="metrics-text">{lines.slice(0, linesMax).join('\n')}</pre>
    </>
  );
}
