import { describe, expect, test } from 'vitest';
import { type ColumnType, type PrinterCell, printerCell } from './printer-cell.ts';
import type { JsonValue } from '../value/value.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

describe('a table cell', () => {
  test.each<[ColumnType, JsonValue, PrinterCell]>([
    ['string', 'a', 'a'],
    ['string', '', ''],
    ['string', 3, '3'],
    ['string', true, 'true'],
    ['string', null, '<no value>'],
    ['string', ['a', { b: 1 }], '["a",{"b":1}]'],
    ['integer', 3, 3],
    ['integer', 3.9, 3],
    ['integer', -3.9, -3],
    ['integer', 9007199254740993n, 9007199254740993n],
    ['integer', '3', null],
    ['integer', null, null],
    ['number', 3, 3],
    ['number', 0.5, 0.5],
    ['number', '0.5', null],
    ['boolean', false, false],
    ['boolean', 'false', null],
    ['boolean', 0, null],
    ['date', '2026-11-21T11:00:00Z', '60m'],
    ['date', '2026-11-21T12:00:00+02:00', '120m'],
    ['date', '2026-11-21T12:01:00Z', '<invalid>'],
    ['date', 'yesterday', '<invalid>'],
    ['date', '', '<unknown>'],
    ['date', 'null', '<unknown>'],
    ['date', '0001-01-01T00:00:00Z', '<unknown>'],
    ['date', '1000-01-01T00:00:00Z', '292y'],
    ['date', 1700000000, null],
    ['date', null, null],
  ])('%# %s %o: %o', (type, value, cell) => expect(printerCell(type, [value], now)).toBe(cell));

  test.each<ColumnType>(['string', 'integer', 'number', 'boolean', 'date'])(
    'of nothing is null: %s',
    (type) => expect(printerCell(type, [], now)).toBeNull(),
  );

  test('takes the first result', () => expect(printerCell('integer', [1, 2], now)).toBe(1));
});
