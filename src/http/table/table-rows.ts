import type { ResponseObject } from '../../registry/index.ts';
import type { IncludeObject, TableLayout } from './table.ts';
import { type TableRow, tableRow } from './table-row.ts';

/** The inputs of a row, besides the time. */
export interface RowForm {
  readonly layout: TableLayout;
  readonly include: IncludeObject;
  /** Of `meta.k8s.io`. */
  readonly version: string;
}

type Rows = WeakMap<object, { readonly form: RowForm; readonly row: TableRow }>;

/**
 * Caches the rows of objects by identity, so that a second list of the same objects parses none of them. Two
 * generations: when the younger one is full, the older one is dropped.
 */
export class TableRows {
  readonly #bytesMax: number;
  #young: Rows = new WeakMap();
  #old: Rows = new WeakMap();
  #youngBytes = 0;

  /** @param bytesMax approximate memory limit of all rows */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The row of an object, cached or created. */
  rowOf(responseObject: ResponseObject, form: RowForm): TableRow {
    const { source } = responseObject;
    if (source === undefined) return tableRow(responseObject.object(), form.layout, form);
    const young = this.#young.get(source);
    if (young !== undefined && isSame(young.form, form)) return young.row;
    const old = this.#old.get(source);
    const row =
      old !== undefined && isSame(old.form, form)
        ? old.row
        : tableRow(responseObject.object(), form.layout, form);
    this.#keep(source, form, row);
    return row;
  }

  #keep(source: object, form: RowForm, row: TableRow): void {
    this.#young.set(source, { form, row });
    this.#youngBytes += row.size;
    if (this.#youngBytes <= this.#bytesMax / 2) return;
    this.#old = this.#young;
    this.#young = new WeakMap();
    this.#youngBytes = 0;
  }
}

function isSame(one: RowForm, other: RowForm): boolean {
  return one.layout === other.layout && one.include === other.include && one.version === other.version;
}
