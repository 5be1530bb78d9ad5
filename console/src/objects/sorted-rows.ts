import type { Column, Row } from './row.ts';

export interface Sorting {
  /** The name of a column; empty for the order of the server. */
  readonly column: string;
  readonly isDescending: boolean;
}

/** As it stands in an address: `-Age` is descending. */
export function sortingOf(text: string): Sorting {
  const isDescending = text.startsWith('-');
  return { column: isDescending ? text.slice(1) : text, isDescending };
}

export function sortingText({ column, isDescending }: Sorting): string {
  return `${isDescending ? '-' : ''}${column}`;
}

const texts = new Intl.Collator('en', { numeric: true });

/** Rows by a column; those that are equal keep the order of the server. */
export function sortedRows(
  rows: readonly Row[],
  columns: readonly Column[],
  { column, isDescending }: Sorting,
): readonly Row[] {
  const at = columns.findIndex(({ name }) => name === column);
  if (column === 'Namespace') return ordered(rows, (row) => row.metadata.namespace ?? '', isDescending);
  if (at === -1) return isDescending ? rows.toReversed() : rows;
  if (column === 'Age') return ordered(rows, (row) => row.metadata.creationTimestamp ?? '', !isDescending);
  return ordered(rows, (row) => row.cells[at] ?? '', isDescending);
}

function ordered(rows: readonly Row[], textOf: (row: Row) => string, isDescending: boolean): readonly Row[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * texts.compare(textOf(a), textOf(b)));
}
