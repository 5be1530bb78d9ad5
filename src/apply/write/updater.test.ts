import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { runConverting } from './conversion.ts';
import { FieldSet } from '../field-set/field-set.ts';
import type { Managers } from '../managers/kind-versions.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { parsePathText } from '../field-set/path-text.ts';
import { typeFromNotation } from '../types/type-notation.ts';
import { applyConfiguration, FieldConflictsError, updateManagers } from './updater.ts';

const set = (...paths: string[]) => FieldSet.of(...paths.map(parsePathText));
const owners = (managers: Managers) =>
  Object.fromEntries([...managers].map(([name, owned]) => [name, owned.set.toText()]));
const unchanged = (request: { value: JsonValue }) => request.value;

const items = typeFromNotation({
  struct: { a: 'string', list: { list: { struct: { name: 'string', size: 'number' } }, by: ['name'] } },
});

function applied(live: JsonValue, value: JsonValue, managers: Managers, type: MergeType = items) {
  const write = { kind: { typeOf: () => type }, manager: 'm', managers, force: false };
  return runConverting(
    applyConfiguration({ value: live, version: 'v2' }, { value, version: 'v2' }, write),
    unchanged,
  );
}

describe('pruning', () => {
  const m = { set: set('.list[name="x"]', '.list[name="x"].name'), version: 'v2', applied: true };

  test('removes an item with its unowned fields, and keeps the items of others', () => {
    const live = { a: 'x', list: [{ name: 'x', size: 1 }, { name: 'y' }] };
    const u = { set: set('.list[name="y"]'), version: 'v2', applied: false };
    const managers = new Map([
      ['m', m],
      ['u', u],
    ]);
    expect(applied(live, {}, managers).value).toEqual({ a: 'x', list: [{ name: 'y' }] });
  });

  test('removes a declared field without other owners', () => {
    const live = { a: 'x', list: [{ name: 'x' }, { name: 'y' }] };
    expect(applied(live, {}, new Map([['m', m]])).value).toEqual({ a: 'x' });
  });

  test('takes a list whose last item goes', () => {
    expect(applied({ a: 'x', list: [{ name: 'x' }] }, {}, new Map([['m', m]])).value).toEqual({ a: 'x' });
  });

  test('keeps an item that another manager owns, even if its fields have no owner', () => {
    // Items were atomic when these sets were written; the type is granular now.
    const managers: Managers = new Map([
      ['m', { set: set('.list[name="y"]'), version: 'v1', applied: true }],
      ['u', { set: set('.list[name="x"]'), version: 'v1', applied: false }],
      ['o', { set: set('.a'), version: 'v2', applied: true }],
    ]);
    const done = applied({ a: 'z', list: [{ name: 'y' }, { name: 'x' }] }, {}, managers);
    expect(done.value).toEqual({ a: 'z', list: [{ name: 'x' }] });
    expect(owners(done.managers)).toEqual({ u: ['.list[name="x"]'], o: ['.a'] });
  });

  test('does nothing where the version applied before is gone', () => {
    const write = {
      kind: { typeOf: (version: string) => (version === 'v2' ? items : undefined) },
      manager: 'm',
      managers: new Map([['m', { ...m, version: 'v1' }]]),
      force: false,
    };
    const live = { value: { a: 'x', list: [{ name: 'x' }] }, version: 'v2' };
    const done = runConverting(
      applyConfiguration(live, { value: { a: 'x' }, version: 'v2' }, write),
      unchanged,
    );
    expect(done.value).toBeUndefined();
    expect(owners(done.managers)).toEqual({ m: ['.a'] });
  });
});

describe('conflicts', () => {
  test('list every field of every owner and leave the managers alone', () => {
    const managers: Managers = new Map([
      ['o', { set: set('.a'), version: 'v2', applied: true }],
      ['u', { set: set('.a', '.list[name="x"].size'), version: 'v2', applied: false }],
    ]);
    const live = { a: '1', list: [{ name: 'x', size: 1 }] };
    const configuration = { a: '2', list: [{ name: 'x', size: 2 }] };
    let conflicts: readonly string[] = [];
    try {
      applied(live, configuration, managers);
    } catch (error) {
      if (!(error instanceof FieldConflictsError)) throw error;
      conflicts = error.conflicts.map(({ manager, path }) => `${manager} ${path.join(' ')}`);
    }
    expect(conflicts).toEqual(['o f:a', 'u f:a', 'u f:list k:{"name":"x"} f:size']);
    expect(owners(managers)).toEqual({ o: ['.a'], u: ['.a', '.list[name="x"].size'] });
  });
});

describe('an update', () => {
  test('takes from its own earlier entry what it removed', () => {
    const write = {
      kind: { typeOf: () => items },
      manager: 'u',
      managers: new Map([['u', { set: set('.a', '.list'), version: 'v2', applied: false }]]),
    };
    const live = { value: { a: 'x' }, version: 'v2' };
    const next = { value: { list: [] }, version: 'v2' };
    expect(owners(runConverting(updateManagers(live, next, write), unchanged))).toEqual({ u: ['.list'] });
  });
});
