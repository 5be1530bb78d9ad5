import type { Field, SchemaTree } from './schema-tree.ts';

/** A field in two schemas. */
export interface PairedRow {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly level: number;
  readonly before: Field | undefined;
  readonly after: Field | undefined;
  readonly hasChildren: boolean;
}

interface Pair {
  readonly before: Field | undefined;
  readonly after: Field | undefined;
}

/** The merged fields of two schemas, as far as they are expanded. */
export function pairedRows(
  trees: { readonly before: SchemaTree; readonly after: SchemaTree },
  isOpen: (row: PairedRow) => boolean,
  isShown: (row: PairedRow) => boolean,
): readonly PairedRow[] {
  const childrenOf = ({ before, after }: Pair) =>
    paired(before ? trees.before.childrenOf(before) : [], after ? trees.after.childrenOf(after) : []);
  const rows: PairedRow[] = [];
  const waiting = childrenOf({ before: trees.before.root, after: trees.after.root })
    .filter(isShown)
    .toReversed();
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row);
    if (row.hasChildren && isOpen(row)) waiting.push(...childrenOf(row).filter(isShown).toReversed());
  }
  return rows;
}

function paired(before: readonly Field[], after: readonly Field[]): readonly PairedRow[] {
  const old = new Map(before.map((field) => [field.key, field]));
  const known = new Map(after.map((field) => [field.key, field]));
  const keys = new Set([...old.keys(), ...known.keys()]);
  return [...keys].flatMap((key) => {
    const pair = { before: old.get(key), after: known.get(key) };
    const field = pair.before ?? pair.after;
    if (field === undefined) return [];
    const { path, name, level } = field;
    const hasChildren = pair.before?.hasChildren === true || pair.after?.hasChildren === true;
    return [{ key, path, name, level, ...pair, hasChildren }];
  });
}
