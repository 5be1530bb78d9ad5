import type { Field } from './schema-tree.ts';

/** The action of a key in a tree. */
export interface TreeAction {
  readonly select?: Field | undefined;
  readonly open?: readonly Field[];
  readonly close?: Field;
}

/** The state of the tree. */
interface TreePlace {
  readonly rows: readonly Field[];
  /** The selected row; -1 for none. */
  readonly at: number;
  readonly pageRows: number;
  readonly isOpen: (field: Field) => boolean;
  readonly childrenOf: (field: Field) => readonly Field[];
  /** The typed prefix, for finding a field by name. */
  readonly typed: { text: string; ms: number };
}

/** The fields of a `KeyboardEvent` in use. */
interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly timeStamp: number;
}

/** Letters typed within this time form a prefix. */
const typeMs = 700;

/** The action of a key by the W3C tree view pattern; undefined for none. */
export function keyToAction(event: Key, place: TreePlace): TreeAction | undefined {
  const { rows, at, pageRows } = place;
  if (event.ctrlKey || event.metaKey || event.altKey || rows.length === 0) return undefined;
  if (event.key.length > 1) place.typed.text = '';
  const to = (index: number) => ({ select: rows[Math.max(0, Math.min(index, rows.length - 1))] });
  switch (event.key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + pageRows);
    case 'PageUp':
      return to(at - pageRows);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      return inward(place);
    case 'ArrowLeft':
      return outward(place);
    case 'Enter':
    case ' ':
      return turned(place);
    case '*':
      return { open: siblingsAt(place).filter(({ hasChildren }) => hasChildren) };
    default:
      return event.key.length === 1 && event.key !== '?' && event.key !== '/'
        ? typedTo(event, place)
        : undefined;
  }
}

/** Expands the field, or moves to its first child. */
function inward({ rows, at, isOpen }: TreePlace): TreeAction | undefined {
  const field = rows[at];
  if (field === undefined || !field.hasChildren) return {};
  return isOpen(field) ? { select: rows[at + 1] } : { open: [field] };
}

/** Collapses the field, or moves to its parent. */
function outward({ rows, at, isOpen }: TreePlace): TreeAction | undefined {
  const field = rows[at];
  if (field === undefined) return {};
  if (field.hasChildren && isOpen(field)) return { close: field };
  return { select: rows.slice(0, at).findLast(({ level }) => level < field.level) };
}

function turned({ rows, at, isOpen }: TreePlace): TreeAction {
  const field = rows[at];
  if (field === undefined || !field.hasChildren) return {};
  return isOpen(field) ? { close: field } : { open: [field] };
}

function siblingsAt({ rows, at, childrenOf }: TreePlace): readonly Field[] {
  const field = rows[at];
  if (field === undefined) return [];
  const above = rows.slice(0, at).findLast(({ level }) => level < field.level);
  return above === undefined ? rows.filter(({ level }) => level === field.level) : childrenOf(above);
}

/** The next field whose name has the typed prefix. */
function typedTo({ key, timeStamp }: Key, { rows, at, typed }: TreePlace): TreeAction {
  typed.text = timeStamp - typed.ms < typeMs ? typed.text + key.toLowerCase() : key.toLowerCase();
  typed.ms = timeStamp;
  const start = typed.text.length === 1 ? at + 1 : at;
  const inOrder = [...rows.slice(start), ...rows.slice(0, start)];
  const found = inOrder.find(({ name }) => name.toLowerCase().startsWith(typed.text));
  return found === undefined ? {} : { select: found };
}
