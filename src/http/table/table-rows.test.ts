import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../meta/index.ts';
import type { ResponseObject } from '../../registry/index.ts';
import { tableLayout } from './table.ts';
import { tableListBody } from './table-list.ts';
import { TableRows } from './table-rows.ts';
import { Slices } from '../../meta/index.ts';
import { byteLengthOf, wholeOf } from '../body.ts';

const column = (name: string, type: 'string' | 'date', jsonPath: string) => ({
  name,
  type,
  format: '',
  description: name,
  priority: 0,
  jsonPath,
});
const layout = tableLayout([
  column('Size', 'string', '.spec.size'),
  column('Age', 'date', '.metadata.creationTimestamp'),
  column('Sown', 'date', '.spec.sown'),
]);
const form = { layout, include: 'None', version: 'v1' } as const;
const second = 1_000;

/** An object that counts its reads. */
function responseObject(spec: KubeObject, source: object | undefined = {}) {
  const object = { metadata: { name: 'a', creationTimestamp: '1970-01-01T00:00:00Z' }, spec };
  const reads = { count: 0 };
  const one: Pick<ResponseObject, 'object' | 'source'> = {
    source,
    object: () => {
      reads.count += 1;
      return structuredClone(object);
    },
  };
  // Rows depend on nothing else.
  return { reads, one: one as ResponseObject };
}

async function list(rows: TableRows, page: readonly ResponseObject[], nowMs: number): Promise<KubeObject> {
  const slices = new Slices({ now: () => 0, nextTurn: (call) => setImmediate(call), sliceMs: 20 });
  const items = Object.assign([...page], { byteLength: 0 });
  const body = await tableListBody(items, { form, rows, metadata: { resourceVersion: '7' }, nowMs, slices });
  const bytes = wholeOf(body);
  expect(bytes.length).toBe(byteLengthOf(body));
  return JSON.parse(Buffer.from(bytes).toString());
}

const cellsOf = (table: KubeObject) => (table['rows'] as { cells: unknown[] }[]).map(({ cells }) => cells);

describe('rows of tables', () => {
  test('a second list parses nothing, and ages advance', async () => {
    const rows = new TableRows(1_000_000);
    const { one, reads } = responseObject({ size: 'XL', sown: '1970-01-01T00:01:00Z' });
    expect(cellsOf(await list(rows, [one, one], 90 * second))).toEqual([
      ['a', 'XL', '90s', '30s'],
      ['a', 'XL', '90s', '30s'],
    ]);
    expect(cellsOf(await list(rows, [one], 7_200 * second))).toEqual([['a', 'XL', '120m', '119m']]);
    expect(reads.count).toBe(1);
  });

  test('invalid and missing timestamps keep their cells', async () => {
    const table = await list(new TableRows(1_000_000), [responseObject({ sown: 'a<b' }).one], second);
    expect(table).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: layout.columnDefinitions,
      kind: 'Table',
      metadata: { resourceVersion: '7' },
      rows: [{ cells: ['a', null, '1s', '<invalid>'], object: null }],
    });
  });

  test('an empty list has no rows', async () => {
    expect(cellsOf(await list(new TableRows(1_000_000), [], 0))).toEqual([]);
  });

  test('other columns, and objects made for one response, get new rows', async () => {
    const rows = new TableRows(1_000_000);
    const { one, reads } = responseObject({});
    rows.rowOf(one, form);
    rows.rowOf(one, { ...form, include: 'Metadata' });
    rows.rowOf(one, form);
    expect(reads.count).toBe(3);
    const single = responseObject({});
    const unkept = { ...single.one, source: undefined };
    rows.rowOf(unkept, form);
    rows.rowOf(unkept, form);
    expect(single.reads.count).toBe(2);
  });

  test('drops the least recently used rows when memory is used up', () => {
    const rows = new TableRows(10_000);
    const [kept, dropped] = [responseObject({}), responseObject({})];
    rows.rowOf(dropped.one, form);
    for (let turn = 0; turn < 100; turn += 1) {
      rows.rowOf(kept.one, form);
      rows.rowOf(responseObject({ size: 'S' }).one, form);
    }
    rows.rowOf(dropped.one, form);
    expect([kept.reads.count, dropped.reads.count]).toEqual([1, 2]);
  });
});
