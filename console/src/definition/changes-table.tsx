import { useState } from 'preact/hooks';
import type { Change, DiffReport } from '../api/definition-reports.ts';
import { TableBox } from '../parts/table-box.tsx';

const rowsMax = 500;

/** The changes that `ilk diff` reports, breaking ones first. */
export function ChangesTable({ report }: { readonly report: DiffReport }) {
  const [isShort, setShort] = useState(false);
  const { changes, breaking } = report;
  if (changes.length === 0) return <p>Nothing differs.</p>;
  const sorted = [
    ...changes.filter(isBreaking),
    ...(isShort ? [] : changes.filter((one) => !isBreaking(one))),
  ];
  return (
    <>
      <div class="gate-head">
        <p role="status">
          {changes.length === 1 ? '1 change' : `${changes.length} changes`},{' '}
          <span class={`state ${breaking === 0 ? 'ok' : 'bad'}`}>{breaking} breaking</span>
        </p>
        {breaking > 0 && breaking < changes.length && (
          <label class="check">
            <input
              type="checkbox"
              checked={isShort}
              onChange={({ currentTarget }) => setShort(currentTarget.checked)}
            />{' '}
            Only breaking changes
          </label>
        )}
      </div>
      <TableBox label="Changes" class="changes" headings={['Breaks', 'Version', 'Field', 'Change']}>
        {sorted.slice(0, rowsMax).map((change, index) => (
          <tr key={`${index} ${change.version} ${change.path} ${change.message}`}>
            <td>
              <span class={`state ${isBreaking(change) ? 'bad' : 'ok'}`}>{change.severity}</span>
            </td>
            <td dir="auto">{change.version}</td>
            <td dir="auto">
              <code>{change.path}</code>
            </td>
            <td dir="auto">{change.message}</td>
          </tr>
        ))}
      </TableBox>
      {sorted.length > rowsMax && <p class="muted">and {sorted.length - rowsMax} more</p>}
    </>
  );
}

function isBreaking({ severity }: Change): boolean {
  return severity === 'breaking';
}
