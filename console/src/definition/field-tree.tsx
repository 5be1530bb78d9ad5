import { useEffect, useId, useRef } from 'preact/hooks';
import { typeWords } from '../object/field-words.ts';
import { exactText } from '../api/exact-json.ts';
import { Icon } from '../parts/icon.tsx';
import { useVisibleRows } from '../parts/use-visible-rows.ts';
import type { Field, FieldGate } from './schema-tree.ts';
import { keyToAction, type TreeAction } from './tree-keys.ts';

const rowPx = 30;
const spareRows = 10;

interface FieldTreeProps {
  /** From top to bottom, as far as they are open. */
  readonly rows: readonly Field[];
  readonly isOpen: (field: Field) => boolean;
  readonly selected: Field | undefined;
  readonly matches: readonly Field[] | undefined;
  readonly gateOf: (field: Field) => FieldGate | undefined;
  readonly onSelect: (field: Field) => void;
  /** Opens or closes fields. */
  readonly onTurn: (fields: readonly Field[], wanted: boolean) => void;
  readonly childrenOf: (field: Field) => readonly Field[];
}

/**
 * Fields as a tree, of which only the rows are drawn that are on the screen. The tree has the focus, and names the row that is
 * selected. Source: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function FieldTree(props: FieldTreeProps) {
  const { rows, isOpen, selected, matches, gateOf, onSelect, onTurn } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const range = useVisibleRows(box, rowPx);
  const first = Math.max(0, Math.min(range.first - spareRows, rows.length - 1));
  const last = Math.min(rows.length, range.last + spareRows);
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  useEffect(() => scrollTo(box.current, at), [at]);
  const typed = useRef({ text: '', ms: 0 });
  const act = (action: TreeAction) => {
    if (action.select !== undefined) onSelect(action.select);
    if (action.open !== undefined) onTurn(action.open, true);
    if (action.close !== undefined) onTurn([action.close], false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyToAction(event, {
      ...props,
      at,
      typed: typed.current,
      pageRows: range.last - range.first,
    });
    if (action === undefined) return;
    event.preventDefault();
    act(action);
  };
  const found = matches && new Set(matches.map(({ key }) => key));
  return (
    <div
      ref={box}
      class="field-tree"
      role="tree"
      aria-label="Fields of the schema"
      tabIndex={0}
      aria-activedescendant={selected === undefined ? undefined : `${id}-${at}`}
      onKeyDown={onKeyDown}
    >
      <div
        role="none"
        style={{
          paddingTop: `${first * rowPx}px`,
          paddingBottom: `${Math.max(0, rows.length - last) * rowPx}px`,
        }}
      >
        {rows.map((field, index) =>
          (index < first || index >= last) && index !== at ? null : (
            <Row
              key={field.key}
              id={`${id}-${index}`}
              field={field}
              gate={gateOf(field)}
              isOpen={field.hasChildren ? isOpen(field) : undefined}
              isSelected={index === at}
              isDim={found !== undefined && !found.has(field.key)}
              isAway={index < first || index >= last}
              onSelect={() => onSelect(field)}
              onTurn={() => onTurn([field], !isOpen(field))}
            />
          ),
        )}
      </div>
    </div>
  );
}

/** Brings a row onto the screen. */
function scrollTo(box: HTMLElement | null, at: number): void {
  if (box === null || at < 0) return;
  const [top, bottom] = [at * rowPx, (at + 1) * rowPx];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

interface RowProps {
  readonly id: string;
  readonly field: Field;
  readonly gate: FieldGate | undefined;
  /** Undefined where there is nothing to open. */
  readonly isOpen: boolean | undefined;
  readonly isSelected: boolean;
  /** Only on the way to what was found. */
  readonly isDim: boolean;
  /** Not on the screen; drawn because it is selected. */
  readonly isAway: boolean;
  readonly onSelect: () => void;
  readonly onTurn: () => void;
}

function Row({ id, field, gate, isOpen, isSelected, isDim, isAway, onSelect, onTurn }: RowProps) {
  const { name, schema, isRequired, level, position, siblings } = field;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names this row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={id}
      role="treeitem"
      class={`field-row${isDim ? ' dim' : ''}${isAway ? ' visually-hidden' : ''}`}
      aria-level={level - 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      style={{ paddingLeft: `${(level - 2) * 18 + 4}px` }}
      onClick={onSelect}
      onDblClick={onTurn}
    >
      <span class={`twist${isOpen === true ? ' open' : ''}`} aria-hidden="true" onClick={onTurn}>
        {isOpen !== undefined && <Icon name="right" />}
      </span>
      <span class="field-name" dir="auto">
        {name}
      </span>
      <span class="field-type" dir="auto">
        {typeWords(schema)}
      </span>
      <Marks field={field} gate={gate} isRequired={isRequired} />
    </div>
  );
}

interface MarksProps {
  readonly field: Field;
  readonly gate: FieldGate | undefined;
  readonly isRequired: boolean;
}

function Marks({ field: { schema, inner }, gate, isRequired }: MarksProps) {
  const rules =
    (schema['x-kubernetes-validations']?.length ?? 0) + (inner?.['x-kubernetes-validations']?.length ?? 0);
  return (
    <>
      {isRequired && <span class="chip">required</span>}
      {schema.default !== undefined && (
        <span class="chip default">= {exactText(schema.default).slice(0, 40)}</span>
      )}
      {rules > 0 && <span class="chip">{rules === 1 ? '1 rule' : `${rules} rules`}</span>}
      {gate !== undefined && (
        <span class="chip gate">
          {gate.stage} {gate.enabled ? 'on' : 'off'}
        </span>
      )}
    </>
  );
}
