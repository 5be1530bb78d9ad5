import { encodeJson } from '../../codec/index.ts';
import { type JsonObject, limits, type Slices } from '../../meta/index.ts';
import type { ResponseObject } from '../../registry/index.ts';
import type { FiniteBody } from '../body.ts';
import { type Item, itemsBody, streamedItemsBody } from '../list-response.ts';
import { table } from './table.ts';
import type { RowForm, TableRows } from './table-rows.ts';

/** What the table of a list is made with. */
interface TableListOptions {
  readonly form: RowForm;
  readonly rows: TableRows;
  readonly metadata: JsonObject;
  readonly nowMs: number;
  readonly slices: Slices;
}

/** To look at the time takes as long as to take a row that is kept. */
const rowsPerLook = 8;

/** A list as a table in compact JSON, made in slices of time: for rows that are not kept, objects are parsed. */
export async function tableListBody(
  page: Iterable<ResponseObject> & { readonly byteLength: number },
  { form, rows, metadata, nowMs, slices }: TableListOptions,
): Promise<FiniteBody> {
  const { version, layout } = form;
  const { columnDefinitions } = layout;
  // Keys are sorted: the rows come last.
  const empty = encodeJson(table({ version, metadata, columnDefinitions, rows: [] }));
  const frame = { head: empty.subarray(0, empty.lastIndexOf(']')), tail: tableEnd };
  const encodedAges = new Map<string, Buffer>();
  const rowAt = (item: ResponseObject) => rows.rowOf(item, form).at(nowMs, encodedAges);
  // Rows that are made before they are sent are held until the client has read them.
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
