import type { ObjectMeta } from '../api/kube-object.ts';

/** A column of a Table. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  /** Columns with a priority above 0 are only shown in wide tables. */
  readonly priority?: number;
}

/** An object as a row. */
export interface Row {
  /** Namespace and name: the server's order. */
  readonly key: string;
  readonly cells: readonly string[];
  readonly metadata: ObjectMeta;
  /** When it was added or changed after the page was opened, in ms; 0 for the initial rows. */
  readonly changedMs: number;
  readonly isNew: boolean;
}

interface TableRow {
  readonly cells: readonly unknown[];
  readonly object: { readonly metadata: ObjectMeta };
}

/** A Table response. */
export interface Table {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions?: readonly Column[];
  readonly rows?: readonly TableRow[];
}

export function keyOf({ namespace = '', name }: ObjectMeta): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

export function rowOf(
  { cells, object: { metadata } }: TableRow,
  change: { readonly ms: number; readonly isNew: boolean },
): Row {
  return {
    key: keyOf(metadata),
    cells: cells.map(textOf),
    metadata,
    changedMs: change.ms,
    isNew: change.isNew,
  };
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
