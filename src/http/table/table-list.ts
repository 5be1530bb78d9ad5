import { encodeJson } from '../../codec/index.ts';
import { type JsonObject, limits, type Slices } from '../../meta/index.ts';
import type { ResponseObject } from '../../registry/index.ts';
import type { FiniteBody } from '../body.ts';
import { type Item, itemsBody, streamedItemsBody } from '../list-response.ts';
import { table } from './table.ts';
import type { RowForm, TableRows } from './table-rows.ts';

/** The inputs of a list as a table. */
interface TableListOptions {
  readonly form: RowForm;
  readonly rows: TableRows;
  readonly metadata: JsonObject;
  readonly nowMs: number;
  readonly slices: Slices;
}

/** Reading the clock takes as long as a cached row. */
const rowsPerLook = 8;

/** A list as a table in compact JSON, created in time slices: objects without a cached row are parsed. */
export async function tableListBody(
  page: Iterable<ResponseObject> & { readonly byteLength: number },
  { form, rows, metadata, nowMs, slices }: TableListOptions,
): Promise<FiniteBody> {
  const { version, layout } = form;
  const { columnDefinitions } = layout;
  // Keys are sorted, so the rows are last.
  const empty = encodeJson(table({ version, metadata, columnDefinitions, rows: [] }));
  const frame = { head: empty.subarray(0, empty.lastIndexOf(']')), tail: tableEnd };
  const encodedAges = new Map<string, Buffer>();
  const rowAt = (item: ResponseObject) => rows.rowOf(item, form).at(nowMs, encodedAges);
  // Rows that exist before they are sent are buffered until the client has read them.
  if (page.byteLength > limits.madeListBytesMax)
    return streamedItemsBody({ ...frame, items: { [Symbol.iterator]: () => mapped(page, rowAt) } });
  const items: Item[] = [];
  for (const item of page) {
    const pause = items.length % rowsPerLook === 0 ? slices.pause() : undefined;
    if (pause !== undefined) await pause;
    items.push(rowAt(item));
  }
  return itemsBody({ ...frame, items });
}

function* mapped(
  page: Iterable<ResponseObject>,
  rowAt: (item: ResponseObject) => Item,
): Generator<Item, undefined> {
  for (const item of page) yield rowAt(item);
}

const tableEnd = Buffer.from(']}\n');
