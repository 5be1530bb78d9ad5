import { useId, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { getJson, send } from '../api/request.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { usePolled } from './use-polled.ts';
import { numbers, TableBox } from '../parts/table-box.tsx';

const path = '/ilk/v1/faults';

interface AddedFault {
  readonly id: string;
  readonly seen: number;
  readonly hits: number;
  readonly rule: { readonly fault: string };
}

/** Rules to begin with, one of each kind that people need most. */
const beginnings: readonly (readonly [name: string, rule: object])[] = [
  ['Conflicts', { fault: 'conflict', match: { verbs: ['update', 'patch'] }, count: 3 }],
  ['Latency', { fault: 'latency', delayMs: 500, match: { verbs: ['list'], resources: ['configmaps'] } }],
  ['Errors', { fault: 'error', code: 500, match: { resources: ['configmaps'] }, count: 3 }],
  [
    'Too many requests',
    { fault: 'tooManyRequests', retryAfterSeconds: 1, match: { verbs: ['create'] }, count: 3 },
  ],
  ['Dropped connections', { fault: 'drop', when: 'after', match: { verbs: ['create'] }, count: 1 }],
  ['Expired watches', { fault: 'expired', match: { verbs: ['watch'], resources: ['configmaps'] }, count: 1 }],
];

/** Things that go wrong on demand. */
export function FaultsPanel() {
  const [changes, setChanges] = useState(0);
  const { value, error } = usePolled(
    (signal) => getJson<{ items: readonly AddedFault[] }>(path, { signal }),
    [changes],
  );
  const [trouble, setTrouble] = useState<unknown>(undefined);
  const change = async (asked: Promise<unknown>) => {
    try {
      await asked;
      setTrouble(undefined);
    } catch (failure) {
      setTrouble(failure);
    }
    setChanges((before) => before + 1);
  };
  if (error instanceof ApiError && error.code === 404) {
    return (
      <EmptyState title="This server breaks nothing on demand">
        <p>
          <code>ilk serve --fault-injection</code> lets requests fail, wait or break off by rules, to see what
          clients make of it.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      {error !== undefined && <ErrorNotice title="The rules cannot be read" error={error} />}
      {trouble !== undefined && <ErrorNotice error={trouble} />}
      <AddFault onAdd={(body) => void change(send(path, { method: 'POST', body }))} />
      {value?.items.length === 0 && <p class="muted">No rules: no request is affected.</p>}
      {value !== undefined && value.items.length > 0 && (
        <FaultTable
          faults={value.items}
          onRemove={(id) => void change(send(`${path}/${encodeURIComponent(id)}`, { method: 'DELETE' }))}
        />
      )}
    </>
  );
}

function AddFault({ onAdd }: { readonly onAdd: (body: string) => void }) {
  const id = useId();
  const [text, setText] = useState(JSON.stringify(beginnings[0]?.[1]));
  return (
    <form
      class="add-fault"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(text);
      }}
    >
      <select
        class="input"
        aria-label="Kind of fault"
        onChange={({ currentTarget }) =>
          setText(JSON.stringify(beginnings[Number(currentTarget.value)]?.[1] ?? {}))
        }
      >
        {beginnings.map(([name], at) => (
          <option key={name} value={at}>
            {name}
          </option>
        ))}
      </select>
      <label for={id}>Rule as JSON</label>
      <input
        id={id}
        class="input rule"
        value={text}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="button primary">
        <Icon name="plus" /> Add
      </button>
    </form>
  );
}

interface FaultTableProps {
  readonly faults: readonly AddedFault[];
  readonly onRemove: (id: string) => void;
}

function FaultTable({ faults, onRemove }: FaultTableProps) {
  return (
    <TableBox
      label="Faults"
      headings={['Fault', 'Rule', numbers('Matched'), numbers('Applied'), { name: 'Remove', isHidden: true }]}
    >
      {faults.map(({ id, rule, seen, hits }) => (
        <tr key={id}>
          <th scope="row">{rule.fault}</th>
          <td class="wrap">
            <code dir="auto">{JSON.stringify(rule)}</code>
          </td>
          <td class="number">{seen}</td>
          <td class="number">{hits}</td>
          <td>
            <button
              type="button"
              class="button small danger"
              aria-label={`Remove ${rule.fault} ${id}`}
              onClick={() => onRemove(id)}
            >
              <Icon name="trash" />
            </button>
          </td>
        </tr>
      ))}
    </TableBox>
  );
}
