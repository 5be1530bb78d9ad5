import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { compileFieldGates, type WrittenPart } from './compile-field-gates.ts';
import { gateWarning } from './gate-warning.ts';
import { applyFieldGates } from './apply-field-gates.ts';

const gate = (name: string, fieldPaths: string, more: JsonObject = {}): JsonObject => ({
  name,
  preRelease: 'alpha',
  fieldPaths: fieldPaths.split(' '),
  ...more,
});
const on = { enabled: true };
const compile = (...featureGates: JsonObject[]) =>
  compileFieldGates({ customFeatureGates: { featureGates } });

/** The states of gates as text: `Foo Qux(Foo)` where Qux is off because of Foo. */
const states = (...featureGates: JsonObject[]) =>
  compile(...featureGates)
    ?.gates.map(({ name, disabledBy }) => (disabledBy === undefined ? name : `${name}(${disabledBy})`))
    .join(' ');

describe('a gate by itself', () => {
  const unset = undefined;
  const table: readonly [string, boolean | undefined, boolean | undefined, boolean][] = [
    ['stable', unset, unset, true],
    ['stable', false, unset, true],
    ['stable', false, false, true],
    ['alpha', unset, unset, false],
    ['alpha', true, unset, true],
    ['alpha', true, false, true],
    ['alpha', unset, true, true],
    ['alpha', unset, false, false],
    ['beta', unset, unset, true],
    ['beta', unset, false, false],
    ['beta', false, unset, false],
    ['beta', true, false, true],
    ['deprecated', unset, true, true],
    ['deprecated', unset, false, false],
    ['deprecated', false, true, false],
    ['deprecated', unset, unset, false],
  ];

  test.each(table)('%s, enabled: %s, default: %s', (preRelease, enabled, byDefault, expected) => {
    const raw = {
      ...gate('G', '.a', { preRelease }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
    };
    expect(compile(raw)?.gates[0]?.enabled).toBe(expected);
  });
});

describe('a nested gate', () => {
  test('counts only while the gates above it are on', () => {
    expect(states(gate('Foo', '.foo', on), gate('Qux', '.foo.qux', on))).toBe('Foo Qux');
    expect(states(gate('Foo', '.foo'), gate('Qux', '.foo.qux', on))).toBe('Foo(Foo) Qux(Foo)');
    expect(states(gate('Foo', '.foo', on), gate('Qux', '.foo.qux'))).toBe('Foo Qux(Qux)');
  });

  test('is nested in all gates above, however far, and in none beside it', () => {
    expect(states(gate('A', '.a'), gate('C', '.a.b.c', on))).toBe('A(A) C(A)');
    expect(states(gate('A', '.a'), gate('B', '.a.b', on), gate('C', '.a.b.c', on))).toBe('A(A) B(A) C(A)');
    expect(states(gate('A', '.a'), gate('B', '.ab.c', on))).toBe('A(A) B');
  });

  test('is off with all its fields, and so is what is nested in those', () => {
    expect(states(gate('A', '.a'), gate('B', '.a.x .b', on), gate('C', '.b.c', on))).toBe('A(A) B(A) C(A)');
    expect(compile(gate('A', '.a'), gate('B', '.a.x .b', on))?.off).toEqual([['a'], ['a', 'x'], ['b']]);
  });

  test('may stand below itself, and two may stand below each other', () => {
    expect(states(gate('A', '.a .a.b', on))).toBe('A');
    expect(states(gate('A', '.a .b.x', on), gate('B', '.b .a.x', on))).toBe('A B');
    expect(states(gate('A', '.a .b.x', on), gate('B', '.b .a.x'))).toBe('A(B) B(B)');
  });
});

describe('what a gate guards', () => {
  test('are the paths that validation accepts; a CRD that was not validated has no others', () => {
    expect(compile(gate('A', '.metadata.labels spec.a .a[0] .kind . .a.b'))?.off).toEqual([['a', 'b']]);
    expect(compile(gate('A', `.a${'.a'.repeat(10_000)} .b`))?.off).toEqual([['b']]);
    expect(compile(gate('A', '.a', on), gate('B', '.a'))?.off).toEqual([]);
  });

  test('nothing acts where every gate is on, and none is deprecated', () => {
    expect(compile(gate('A', '.a', on))?.acting.whole).toBe(undefined);
    expect(compileFieldGates({})).toBe(undefined);
    expect(compileFieldGates({ customFeatureGates: { featureGates: [] } })).toBe(undefined);
  });

  test('the status is a part of its own', () => {
    const acting = compile(gate('A', '.spec.a .status.b'))?.acting;
    const paths = (part: WrittenPart) => acting?.[part]?.off.map(({ path }) => path);
    expect([paths('whole'), paths('rest'), paths('status')]).toEqual([
      ['spec.a', 'status.b'],
      ['spec.a'],
      ['status.b'],
    ]);
    expect(compile(gate('A', '.spec.a'))?.acting.status).toBe(undefined);
  });
});

/** The result of a write, and the warnings that the client gets. */
function settle(featureGates: JsonObject[], next: JsonObject, old?: JsonObject) {
  const sent = structuredClone(next);
  const fields = { ...next };
  const root = compile(...featureGates)?.acting.whole?.root;
  const effects = root === undefined ? [] : applyFieldGates(root, fields, old);
  // Values below the root are shared, and must not have changed.
  expect(next).toEqual(sent);
  return { fields, warnings: effects.map((effect) => gateWarning(effect, 'Foo')) };
}

describe('a write', () => {
  const color = gate('Colors', '.spec.color');
  const off = (what: string) => `Foo spec.color: ${what} (feature gate Colors is disabled)`;

  test('that sets a field gets a warning that it was dropped', () => {
    const expected = { fields: { spec: { size: 1 } }, warnings: [off('dropped')] };
    expect(settle([color], { spec: { size: 1, color: 'red' } })).toEqual(expected);
    expect(settle([color], { spec: { size: 1, color: null } })).toEqual(expected);
    expect(settle([color], { spec: { size: 1, color: 'red' } }, { spec: {} })).toEqual(expected);
    expect(settle([color], { spec: { size: 1, color: 'red' } }, {})).toEqual(expected);
  });

  test('that changes a field, or omits it, gets a warning that it is unchanged', () => {
    const old = { spec: { color: 'blue' } };
    const expected = { fields: { spec: { size: 1, color: 'blue' } }, warnings: [off('unchanged')] };
    expect(settle([color], { spec: { size: 1, color: 'red' } }, old)).toEqual(expected);
    expect(settle([color], { spec: { size: 1, color: null } }, old)).toEqual(expected);
    expect(settle([color], { spec: { size: 1 } }, old)).toEqual(expected);
  });

  test('that does not change it gets no warning', () => {
    const nothing = { spec: { size: 1 } };
    expect(settle([color], nothing)).toEqual({ fields: nothing, warnings: [] });
    const same = { spec: { color: { a: [1] } } };
    expect(settle([color], same, structuredClone(same))).toEqual({ fields: same, warnings: [] });
    expect(settle([color], {}, {})).toEqual({ fields: {}, warnings: [] });
  });

  test('that takes away what is above takes the field along', () => {
    const old = { spec: { color: 'blue' } };
    for (const next of [{}, { spec: null }, { spec: 'x' }, { spec: [] }]) {
      const { fields, warnings } = settle([color], next as JsonObject, old);
      expect({ fields, warnings }).toEqual({ fields: next, warnings: [off('removed together with spec')] });
    }
    const inner = gate('Inner', '.spec.foo.bar');
    const outer = gate('Outer', '.spec.foo', on);
    expect(settle([outer, inner], { spec: {} }, { spec: { foo: { bar: 1 } } })).toEqual({
      fields: { spec: {} },
      warnings: ['Foo spec.foo.bar: removed together with spec.foo (feature gate Inner is disabled)'],
    });
  });

  test('names the gate that is the reason', () => {
    const both = gate('Both', '.spec.foo.bar .spec.other', on);
    expect(settle([gate('Foos', '.spec.foo'), both], { spec: { foo: { bar: 1 }, other: 1 } })).toEqual({
      fields: { spec: {} },
      warnings: [
        'Foo spec.foo: dropped (feature gate Foos is disabled)',
        'Foo spec.other: dropped (feature gate Both is disabled because Foos is)',
      ],
    });
  });

  test('reaches entries of maps, and no items of lists', () => {
    const gates = [gate('A', '.spec.entries.a.x')];
    expect(settle(gates, { spec: { entries: { a: { x: 1 }, b: { x: 1 } } } }).fields).toEqual({
      spec: { entries: { a: {}, b: { x: 1 } } },
    });
    expect(settle(gates, { spec: { entries: [{ a: { x: 1 } }] } }).fields).toEqual({
      spec: { entries: [{ a: { x: 1 } }] },
    });
  });

  test('may have any key', () => {
    const gates = [gate('A', '.spec.__proto__ .spec.constructor.a')];
    const sent: JsonObject = JSON.parse('{"spec": {"__proto__": {"b": 1}, "constructor": {"a": 1}}}');
    expect(JSON.stringify(settle(gates, sent).fields)).toBe('{"spec":{"constructor":{}}}');
    expect(JSON.stringify(settle(gates, { spec: {} }, sent).fields)).toBe('{"spec":{"__proto__":{"b":1}}}');
    expect(settle(gates, { spec: {} }, { spec: {} }).warnings).toEqual([]);
  });
});

describe('a field of a deprecated gate', () => {
  const old = gate('Old', '.spec.old', { preRelease: 'deprecated', default: true });
  const warning = 'Foo spec.old: deprecated (feature gate Old)';

  test('draws a warning where a create has it and where an update changes it', () => {
    expect(settle([old], { spec: { old: 1 } })).toEqual({
      fields: { spec: { old: 1 } },
      warnings: [warning],
    });
    expect(settle([old], { spec: { old: 1 } }, { spec: {} }).warnings).toEqual([warning]);
    expect(settle([old], { spec: { old: 1 } }, { spec: { old: 2 } }).warnings).toEqual([warning]);
    expect(settle([old], { spec: {} }, { spec: { old: 2 } }).warnings).toEqual([warning]);
    expect(settle([old], {}, { spec: { old: 2 } }).warnings).toEqual([warning]);
  });

  test('draws none where it is not touched', () => {
    expect(settle([old], { spec: {} }).warnings).toEqual([]);
    expect(settle([old], { spec: { old: [1], size: 2 } }, { spec: { old: [1] } }).warnings).toEqual([]);
  });

  test('has a text of its own if the CRD gives one', () => {
    const said = { ...old, fieldDeprecationWarning: 'use .spec.new' };
    expect(settle([said], { spec: { old: 1 } }).warnings).toEqual(['use .spec.new']);
  });

  test('is not used where its gate is off: the field does not change then', () => {
    const off = { ...old, default: false };
    const dropped = 'Foo spec.old: dropped (feature gate Old is disabled)';
    expect(settle([off], { spec: { old: 1 } }).warnings).toEqual([dropped]);
  });

  test('may have gates below', () => {
    const inner = gate('Inner', '.spec.old.inner');
    expect(settle([old, inner], { spec: { old: { inner: 1 } } }, { spec: { old: {} } })).toEqual({
      fields: { spec: { old: {} } },
      warnings: ['Foo spec.old.inner: dropped (feature gate Inner is disabled)'],
    });
  });
});
