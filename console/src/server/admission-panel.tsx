import { EmptyState } from '../parts/empty-state.tsx';
import { metrics } from './metrics-feed.ts';
import { msText } from './requests-panel.tsx';
import { numbers, TableBox } from '../parts/table-box.tsx';

/** How long webhooks and policies take, since the start of the server. */
export function AdmissionPanel() {
  const times = metrics.value?.admission ?? [];
  if (times.length === 0) {
    return (
      <EmptyState title="No webhook or policy has been called yet">
        <p>They are listed here after the first write that calls one.</p>
      </EmptyState>
    );
  }
  return (
    <TableBox
      label="Webhooks and policies"
      headings={['Kind', 'Name', numbers('Calls'), numbers('Rejected'), numbers('Mean')]}
    >
      {times.map(({ kind, name, calls, rejected, meanMs }) => (
        <tr key={`${kind} ${name}`}>
          <td>{kind}</td>
          <th scope="row" class="wrap" dir="auto">
            {name}
          </th>
          <td class="number">{calls}</td>
          <td class="number">{rejected}</td>
          <td class="number">{msText(meanMs)}</td>
        </tr>
      ))}
    </TableBox>
  );
}
