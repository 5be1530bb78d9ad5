import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Kind } from '../api/kinds.ts';
import { href, place, setQuery } from '../app/router.ts';
import { PageHead } from '../app/page-head.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveMark } from '../parts/live-mark.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { countKey, counts, followCounts } from './count-store.ts';
import { KindRow } from './kind-row.tsx';
import { isBuiltIn, kinds, kindsError, kindsLiveness } from './kind-store.ts';

/** All kinds by group, those of the user's own first. */
export function KindsPage() {
  const search = place.value.query.get('search') ?? '';
  const all = kinds.value;
  const found = useMemo(() => (all ?? []).filter((kind) => matches(kind, search)), [all, search]);
  const own = found.filter((kind) => !isBuiltIn(kind));
  const builtIn = found.filter(isBuiltIn);
  const hasOwn = (all ?? []).some((kind) => !isBuiltIn(kind));
  const shown = useRef<readonly Kind[]>([]);
  const [choice, setChoice] = useState<boolean | undefined>(undefined);
  const isOpen = search !== '' || (choice ?? !hasOwn);
  shown.current = isOpen ? found : own;
  useWhileShown((signal) => void followCounts(() => shown.current, signal), []);
  return (
    <>
      <PageHead title="Kinds" aside={<LiveMark liveness={kindsLiveness.value} />}>
        <SearchBox value={search} />
        <a class="button primary" href={href('/new')}>
          <Icon name="plus" /> New object
        </a>
      </PageHead>
      {kindsError.value !== undefined && (
        <ErrorNotice title="The kinds cannot be read" error={kindsError.value} />
      )}
      {all !== undefined && !hasOwn && search === '' && <NoKinds />}
      {all !== undefined && found.length === 0 && search !== '' && (
        <EmptyState title={`No kind matches “${search}”`}>
          <p>The search looks at kinds, plurals, short names, groups and categories.</p>
        </EmptyState>
      )}
      {groupsOf(own).map(([group, members]) => (
        <KindTable key={group} group={group} kinds={members} />
      ))}
      {builtIn.length > 0 && (
        <details
          class="built-in"
          open={isOpen}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open !== isOpen) setChoice(currentTarget.open);
          }}
        >
          <summary>
            Built-in kinds <span class="muted">{builtIn.length}</span>
          </summary>
          {isOpen &&
            groupsOf(builtIn).map(([group, members]) => (
              <KindTable key={group} group={group} kinds={members} />
            ))}
        </details>
      )}
    </>
  );
}

function SearchBox({ value }: { readonly value: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        data-shortcut="search"
        placeholder="Search kinds"
        aria-label="Search kinds"
        defaultValue={value}
        onInput={({ currentTarget }) => setQuery({ search: currentTarget.value })}
      />
      <kbd>/</kbd>
    </label>
  );
}

function KindTable({ group, kinds: members }: { readonly group: string; readonly kinds: readonly Kind[] }) {
  return (
    <section class="group" aria-label={groupName(group)}>
      <h2>{groupName(group)}</h2>
      <div class="table-scroll">
        <table class="table kinds">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col" class="number">
                Objects
              </th>
              <th scope="col">Scope</th>
              <th scope="col">Versions</th>
              <th scope="col">State</th>
              <th scope="col">Short names</th>
              <th scope="col">Categories</th>
            </tr>
          </thead>
          <tbody>
            {members.map((kind) => (
              <KindRow key={kind.plural} kind={kind} count={counts.value.get(countKey(kind))} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function NoKinds() {
  return (
    <EmptyState title="No kinds of your own yet">
      <p>
        A CustomResourceDefinition adds a kind. Apply one with <code>kubectl apply -f crd.yaml</code>, or{' '}
        <a href={href('/new')}>paste one here</a>. It appears in this list as soon as the server has it.
      </p>
    </EmptyState>
  );
}

const groupName = (group: string) => (group === '' ? 'core' : group);

function groupsOf(kindsFound: readonly Kind[]): readonly (readonly [string, readonly Kind[]])[] {
  const groups = new Map<string, Kind[]>();
  for (const kind of kindsFound) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  return [...groups]
    .map(([group, members]) => [group, members.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function matches({ group, kind, plural, singular, shortNames, categories }: Kind, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  const texts = [groupName(group), kind, plural, singular, ...shortNames, ...categories].map((text) =>
    text.toLowerCase(),
  );
  return words.every((word) => texts.some((text) => text.includes(word)));
}
