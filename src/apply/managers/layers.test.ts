import { describe, expect, test } from 'vitest';
import { capUpdateManagers } from './cap-managers.ts';
import { describeConflicts } from './conflict.ts';
import { type CapRow, corpus, type ScaleRow, type SortRow } from './corpus.test-data.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { decodeManagedFields, encodeManagedFields, type ManagerEntry } from './managed-fields.ts';
import { managerKey } from './manager-identity.ts';
import { fieldPathOf } from '../field-set/path-element.ts';
import { parsePathText } from '../field-set/path-text.ts';
import { parentManagedFields, replicasPath, scaleManagedFields } from './scale-fields.ts';

/** Tables collected from the tests of apimachinery, in a folder beside the checkout; skipped without it. */

const hour = (hours: number) => new Date(hours * 3_600_000).toISOString();

function capEntry([manager, apiVersion, hours, fields]: CapRow): [string, ManagerEntry] {
  const identity = { manager, operation: 'Update', apiVersion, subresource: '' } as const;
  const set = FieldSet.of(...fields.map((name) => fieldPathOf(name)));
  return [managerKey(identity), { identity, version: apiVersion, applied: false, set, time: hour(hours) }];
}

function sortEntry([manager, operation, time, subresource]: SortRow) {
  return { manager, operation, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}, time, subresource };
}

function scaleEntries(rows: readonly ScaleRow[]) {
  const entries = rows.map(([manager, operation, apiVersion, subresource, paths]): [string, ManagerEntry] => {
    const identity = { manager, operation, apiVersion, subresource };
    const set = FieldSet.of(...paths.map(parsePathText));
    return [
      managerKey(identity),
      { identity, version: apiVersion, applied: operation === 'Apply', set, time: undefined },
    ];
  });
  return encodeManagedFields(new Map(entries));
}

const scaleRows = (list: ReturnType<typeof encodeManagedFields>): ScaleRow[] =>
  [...decodeManagedFields(list).values()].map(({ identity, version, set }) => [
    identity.manager,
    identity.operation,
    version,
    identity.subresource,
    set.toText(),
  ]);

const byName = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();

const mapping = {
  apiVersion: 'g/v1',
  paths: new Map([['g/v1', replicasPath('.spec.replicas')]]),
};

describe.skipIf(corpus === undefined)('tables of apimachinery (beside the checkout)', () => {
  test.each(corpus?.layers.capManagers ?? [])('at most three updaters of $in', ({ in: rows, out }) => {
    const entries = new Map(rows.map(capEntry));
    const capped = [...capUpdateManagers(entries, 3)].map(([, { identity, version, set, time }]) => [
      identity.manager,
      version,
      time,
      set.toText().map((text) => text.slice(1)),
    ]);
    const want = (out === 'same' ? rows : out).map(([name, version, hours, fields]) => [
      name,
      version,
      hour(hours),
      fields,
    ]);
    expect(byName(capped)).toEqual(byName(want));
  });

  test.each(corpus?.layers.sortEntries ?? [])('order of $in', ({ in: rows, out }) => {
    // Entries with the same identity differ only in time here, so each is decoded alone.
    const entries = rows.flatMap((row, index) =>
      [...decodeManagedFields([sortEntry(row)]).values()].map((entry) => [String(index), entry] as const),
    );
    const sorted = encodeManagedFields(new Map(entries))?.map(({ manager, operation, time, subresource }) => [
      manager,
      operation,
      time ?? null,
      subresource ?? '',
    ]);
    expect(sorted).toEqual(out);
  });

  test.each(corpus?.layers.conflictMessage ?? [])('$message', ({ in: rows, causes, message }) => {
    const described = describeConflicts(
      rows.map(([manager, operation, apiVersion, time, subresource, path]) => ({
        owner: { manager, operation, apiVersion, subresource },
        time: time ?? undefined,
        path: parsePathText(path),
      })),
    );
    expect(described.message).toBe(message);
    expect(byName(described.causes.map(({ message: text, field }) => [text, field]))).toEqual(byName(causes));
    expect(described.causes.every(({ reason }) => reason === 'FieldManagerConflict')).toBe(true);
  });

  test.each(corpus?.layers.scaleToSubresource ?? [])('scale of $in', ({ in: rows, out }) => {
    expect(byName(scaleRows(scaleManagedFields(scaleEntries(rows), mapping)))).toEqual(byName(out));
  });

  test.each(corpus?.layers.scaleToParent ?? [])('$parent with scale $scale', ({ parent, scale, out }) => {
    const list = parentManagedFields(scaleEntries(parent), scaleEntries(scale), mapping);
    expect(byName(scaleRows(list))).toEqual(byName(out));
  });
});
