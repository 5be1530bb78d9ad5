import type { ObjectMeta } from '../api/kube-object.ts';

/** A column as the server describes it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  /** Columns above 0 are for wide tables. */
  readonly priority?: number;
}

/** An object as a row. */
export interface Row {
  /** Namespace and name: the order of the server. */
  readonly key: string;
  readonly cells: readonly string[];
  readonly metadata: ObjectMeta;
  /** When it came or changed while the page was open, in ms; 0 for what was there. */
  readonly changedMs: number;
  readonly isNew: boolean;
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object: { readonly metadata: ObjectMeta };
}

/** An answer in the form of a table. */
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
