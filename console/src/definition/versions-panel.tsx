import { useMemo, useState } from 'preact/hooks';
import { type Change, diffVersions } from '../api/definition-reports.ts';
import { exactText } from '../api/exact-json.ts';
import { KindSchema } from '../api/kind-schema.ts';
import { boundWords, typeWords } from '../object/field-words.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { TableBox } from '../parts/table-box.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { ChangesTable } from './changes-table.tsx';
import type { DefinitionParts } from './definition-parts.ts';
import { type PairedRow, pairedRows } from './paired-rows.ts';
import { type Field, SchemaTree } from './schema-tree.ts';

interface VersionsPanelProps {
  readonly parts: DefinitionParts;
  /** The version that is shown elsewhere on the page. */
  readonly version: string;
}

/** Two versions of a definition side by side, and what of their difference breaks objects. */
export function VersionsPanel({ parts, version }: VersionsPanelProps) {
  const names = parts.versions.map(({ name }) => name);
  const other = names.find((name) => name !== version) ?? version;
  const [from, setFrom] = useState(other);
  const [to, setTo] = useState(version);
  const report = useAnswer((signal) => diffVersions(parts.name, { from, to }, signal), [parts, from, to]);
  if (names.length < 2)
    return <p class="muted">It has one version, {version}: there is nothing to compare it with.</p>;
  return (
    <>
      <div class="gate-head">
        <VersionChoice label="From" names={names} value={from} onChange={setFrom} />
        <VersionChoice label="To" names={names} value={to} onChange={setTo} />
      </div>
      {report.error !== undefined && (
        <ErrorNotice title="The versions cannot be compared" error={report.error} />
      )}
      <SideBySide parts={parts} from={from} to={to} changes={report.value?.changes ?? []} />
      {report.value !== undefined && <ChangesTable report={report.value} />}
    </>
  );
}

interface VersionChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function VersionChoice({ label, names, value, onChange }: VersionChoiceProps) {
  return (
    <label class="pick">
      {label}{' '}
      <select class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Rows are drawn whole: more are not looked at, but opened one by one. */
const rowsMax = 400;

interface SideBySideProps {
  readonly parts: DefinitionParts;
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
}

function SideBySide({ parts, from, to, changes }: SideBySideProps) {
  const [showsAll, setShowsAll] = useState(false);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const trees = useMemo(() => ({ before: treeOf(parts, from), after: treeOf(parts, to) }), [parts, from, to]);
  const changed = useMemo(() => changes.map(({ path }) => path).filter((path) => path !== ''), [changes]);
  const differs = ({ path }: PairedRow) => changed.some((one) => one === path || isBelow(one, path));
  // Ancestors of differences are open unless the user closes them.
  const isOpen = (row: PairedRow) => differs(row) !== turned.has(row.key);
  const rows = useMemo(
    () => pairedRows(trees, isOpen, (row) => showsAll || differs(row)),
    [trees, changed, turned, showsAll],
  );
  const turn = (key: string) =>
    setTurned(
      (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
    );
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={showsAll}
          onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
        />{' '}
        Fields that do not differ, too
      </label>
      <TableBox label="Side by side" class="paired" headings={['Field', from, to]}>
        {rows.slice(0, rowsMax).map((row) => (
          <tr key={row.key} class={changed.includes(row.path) ? 'differs' : undefined}>
            <th scope="row" style={{ paddingLeft: `${(row.level - 2) * 18 + 14}px` }}>
              <FieldName row={row} isOpen={isOpen(row)} onTurn={() => turn(row.key)} />
            </th>
            <td dir="auto">{wordsOf(row.before)}</td>
            <td dir="auto">{wordsOf(row.after)}</td>
          </tr>
        ))}
      </TableBox>
      {rows.length > rowsMax && (
        <p class="muted">and {rows.length - rowsMax} more: close what you do not need</p>
      )}
    </>
  );
}

interface FieldNameProps {
  readonly row: PairedRow;
  readonly isOpen: boolean;
  readonly onTurn: () => void;
}

function FieldName({ row: { name, hasChildren }, isOpen, onTurn }: FieldNameProps) {
  if (!hasChildren) return <code dir="auto">{name}</code>;
  return (
    <button type="button" class="turn" aria-expanded={isOpen} onClick={onTurn}>
      <span class={`twist${isOpen ? ' open' : ''}`}>
        <Icon name="right" />
      </span>
      <code dir="auto">{name}</code>
    </button>
  );
}

function treeOf(parts: DefinitionParts, version: string): SchemaTree {
  const found = parts.versions.find(({ name }) => name === version);
  return new SchemaTree(new KindSchema({}, found?.schema ?? {}));
}

/** A field in a cell. */
function wordsOf(field: Field | undefined): string {
  if (field === undefined) return '–';
  const { schema, isRequired } = field;
  return [
    typeWords(schema),
    ...(isRequired ? ['required'] : []),
    ...(schema.default === undefined ? [] : [`default ${exactText(schema.default)}`]),
    ...boundWords(schema),
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule = '' }) => rule.trim()),
  ].join(', ');
}

function isBelow(path: string, around: string): boolean {
  return path.startsWith(around) && /^[.[]/.test(path.slice(around.length));
}
