import { useId, useMemo, useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import type { Kind } from '../api/kinds.ts';
import { isBuiltIn, kinds } from '../kinds/kind-store.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { cellKey, reviewAll, type Subject, type Verdict, verbs } from './access-reviews.ts';
import { TableBox } from '../parts/table-box.tsx';

/** Each kind is eight questions. */
const kindsMax = 25;

/** Who may do what, as the server decides it. */
export function AccessPanel() {
  const [subject, setSubject] = useState<Subject>({ user: '', groups: [], namespace: '' });
  const [search, setSearch] = useState('');
  const found = useMemo(() => matching(kinds.value ?? [], search), [kinds.value, search]);
  const shown = found.slice(0, kindsMax);
  return (
    <>
      <form
        class="access"
        onSubmit={(event) => {
          event.preventDefault();
          setSubject(subjectIn(new FormData(event.currentTarget)));
        }}
      >
        <Field name="user" label="User" hint="yourself" />
        <Field name="groups" label="Groups" hint="dev, admins" />
        <Field name="namespace" label="Namespace" hint="all namespaces" />
        <button type="submit" class="button primary">
          Ask
        </button>
        <input
          class="input"
          type="search"
          aria-label="Search kinds"
          placeholder="Kinds…"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </form>
      <Matrix shown={shown} subject={subject} />
      {found.length > shown.length && (
        <p class="muted">{found.length - shown.length} further kinds are not shown: search for them.</p>
      )}
    </>
  );
}

function matching(all: readonly Kind[], search: string): readonly Kind[] {
  const text = search.toLowerCase();
  return all
    .filter(({ kind, plural, group }) => `${kind} ${plural} ${group}`.toLowerCase().includes(text))
    .toSorted((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)));
}

function subjectIn(form: FormData): Subject {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const groups = text('groups').split(',');
  return {
    user: text('user'),
    groups: groups.map((group) => group.trim()).filter((group) => group !== ''),
    namespace: text('namespace'),
  };
}

function Field({
  name,
  label,
  hint,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
}) {
  const id = useId();
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} class="input" placeholder={hint} autocomplete="off" spellcheck={false} />
    </span>
  );
}

function Matrix({ shown, subject }: { readonly shown: readonly Kind[]; readonly subject: Subject }) {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map());
  const [error, setError] = useState<unknown>(undefined);
  const names = shown.map(({ group, plural }) => `${plural}.${group}`).join(' ');
  useWhileShown(
    (abort) => {
      setVerdicts(new Map());
      setError(undefined);
      const onVerdict = (key: string, verdict: Verdict) => {
        if (!abort.aborted) setVerdicts((before) => new Map(before).set(key, verdict));
      };
      reviewAll(shown, subject, { onVerdict, abort }).catch((failure: unknown) => {
        if (!isAborted(failure) && !abort.aborted) setError(failure);
      });
    },
    [names, subject],
  );
  if (error !== undefined) return <ErrorNotice title="The access reviews failed" error={error} />;
  return (
    <TableBox
      label={subject.user === '' ? 'What you may do' : `What ${subject.user} may do`}
      headings={['Kind', ...verbs]}
    >
      {shown.map((kind) => (
        <tr key={`${kind.plural}.${kind.group}`}>
          <th scope="row">
            {kind.kind} <small class="muted">{kind.group}</small>
          </th>
          {verbs.map((verb) => (
            <Cell key={verb} verdict={verdicts.get(cellKey(kind, verb)) ?? 'unknown'} />
          ))}
        </tr>
      ))}
    </TableBox>
  );
}

const looks = { yes: 'yes', no: 'no', unknown: '…' } as const;

function Cell({ verdict }: { readonly verdict: Verdict }) {
  return (
    <td>
      <span class={`verdict ${verdict}`}>{looks[verdict]}</span>
    </td>
  );
}
