import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Gate } from '../api/definition-reports.ts';
import type { KindSchema } from '../api/kind-schema.ts';
import { Icon } from '../parts/icon.tsx';
import { FieldPanel, Rules, type TryRule } from './field-panel.tsx';
import { FieldTree } from './field-tree.tsx';
import { type Field, type FieldGate, keySeparator, SchemaTree } from './schema-tree.ts';

/** Which fields are open, and which one is looked at; kept while other tabs are shown. */
interface TreeState {
  readonly open: ReadonlySet<string>;
  readonly selected: string;
}

/** How deep a schema is open at first. */
const openLevels = 1;

interface SchemaViewProps {
  readonly schema: KindSchema;
  /** `widgets.example.com`, as kubectl takes it. */
  readonly resource: string;
  readonly apiVersion: string;
  readonly selectableFields: readonly string[];
  readonly gates: readonly Gate[];
  /** See {@link FieldPanel}. */
  readonly tryRule: TryRule | undefined;
}

/** A schema: its fields as a tree, and all about one of them beside it. */
export function SchemaView(props: SchemaViewProps) {
  const { schema, resource, apiVersion, selectableFields, gates, tryRule } = props;
  const tree = useMemo(() => new SchemaTree(schema), [schema]);
  const [search, setSearch] = useState('');
  const asked = useSettled(search.trim());
  const found = useMemo(() => (asked === '' ? undefined : tree.search(asked)), [tree, asked]);
  const [state, setState] = useState<TreeState>(() => ({ open: firstOpen(tree), selected: '' }));
  const id = useId();
  const isShown = found && (({ key }: Field) => found.shown.has(key));
  // Search results are open until the user closes them.
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setClosed(new Set()), [asked]);
  const isOpen = ({ key }: Field) => (found === undefined ? state.open.has(key) : !closed.has(key));
  const rows = useMemo(() => tree.rows(isOpen, isShown), [tree, state.open, closed, found]);
  // For a hidden field, its nearest visible ancestor.
  const selected = rows.findLast(({ key }) => isWithin(state.selected, key)) ?? rows[0];
  const byPath = useMemo(() => gatesByPath(gates), [gates]);
  const gateOf = (field: Field) => byPath.get(gatePath(field)) ?? publishedGate(field);
  const turn = (fields: readonly Field[], wanted: boolean) => {
    const keys = fields.map(({ key }) => key);
    if (found !== undefined) setClosed(changed(closed, keys, !wanted));
    else setState((before) => ({ ...before, open: changed(before.open, keys, wanted) }));
  };
  return (
    <div class="schema-panes">
      <section aria-label="Fields">
        <div class="tree-tools">
          <FieldSearch text={search} describedBy={`${id}-found`} onSearch={setSearch} />
          <span id={`${id}-found`} class="muted" role="status">
            {found !== undefined && foundWords(found.matches.length, found.isComplete)}
          </span>
        </div>
        {tree.root.schema['x-kubernetes-validations'] !== undefined && (
          <details class="root-rules">
            <summary>Rules of the whole object</summary>
            <Rules
              schema={tree.root.schema}
              title="Each of them must hold"
              tryAt={tryRule && ((rule) => tryRule('', rule))}
            />
          </details>
        )}
        <FieldTree
          rows={rows}
          isOpen={isOpen}
          selected={selected}
          matches={found?.matches}
          gateOf={gateOf}
          onSelect={({ key }) => setState((before) => ({ ...before, selected: key }))}
          onTurn={turn}
          childrenOf={(field) => tree.childrenOf(field)}
        />
      </section>
      {selected !== undefined && (
        <FieldPanel
          field={selected}
          gate={gateOf(selected)}
          explain={`kubectl explain ${resource}${plainPath(selected.path)} --api-version=${apiVersion}`}
          isSelectable={selectableFields.includes(selected.path)}
          tryRule={tryRule}
        />
      )}
    </div>
  );
}

interface FieldSearchProps {
  readonly text: string;
  readonly describedBy: string;
  readonly onSearch: (text: string) => void;
}

function FieldSearch({ text, describedBy, onSearch }: FieldSearchProps) {
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        data-shortcut="search"
        placeholder="Search fields"
        aria-label="Search fields"
        aria-describedby={describedBy}
        value={text}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
    </label>
  );
}

function gatesByPath(gates: readonly Gate[]): ReadonlyMap<string, FieldGate> {
  return new Map(
    gates.flatMap(({ name, stage, enabled, fieldPaths }) =>
      fieldPaths.map((path) => [path, { name, stage, enabled }] as const),
    ),
  );
}

/** As gates name fields: `.spec.pools[*].size`. */
function gatePath({ path }: Field): string {
  return path.replaceAll('[]', '[*]').replaceAll('.*', '[*]');
}

/** The gate of a field as OpenAPI publishes it. */
function publishedGate({ schema }: Field): FieldGate | undefined {
  const gate = schema['x-kubernetes-feature-gate'];
  return gate && { name: gate.name ?? '', stage: gate.preRelease ?? '', enabled: gate.enabled === true };
}

function isWithin(key: string, around: string): boolean {
  return key === around || key.startsWith(`${around}${keySeparator}`);
}

function firstOpen(tree: SchemaTree): ReadonlySet<string> {
  return new Set(
    tree
      .rows(({ level }) => level < openLevels)
      .filter(({ name }) => name === 'spec')
      .map(({ key }) => key),
  );
}

function changed(set: ReadonlySet<string>, keys: readonly string[], isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  for (const key of keys) isIn ? next.add(key) : next.delete(key);
  return next;
}

/** As `kubectl explain` takes it: without what stands for items and entries. */
function plainPath(path: string): string {
  return path.replaceAll('[]', '').replaceAll('.*', '');
}

function foundWords(count: number, isComplete: boolean): string {
  if (count === 0) return 'No field matches';
  return `${isComplete ? '' : 'The first '}${count} ${count === 1 ? 'field matches' : 'fields match'}`;
}

const settleMs = 150;

/** A text that has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    timer.current = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer.current);
  }, [text]);
  return settled;
}
