import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../value/value.ts';
import { JsonPathError } from './json-path-error.ts';
import { simplePath } from './simple-path.ts';

describe('a simple path', () => {
  test('is split at its dots', () => {
    expect(simplePath('.spec.replicas').keys).toEqual(['spec', 'replicas']);
    expect(simplePath('.spec.a[0]').keys).toEqual(['spec', 'a[0]']);
  });

  test('reads', () => {
    const object = { spec: { replicas: 3, 'a[0]': 'x', none: null } };
    expect(simplePath('.spec.replicas').getAt(object)).toBe(3);
    expect(simplePath('.spec.a[0]').getAt(object)).toBe('x');
    expect(simplePath('.spec.missing.deeper').getAt(object)).toBeUndefined();
    expect(simplePath('.spec.none.deeper').getAt(object)).toBeUndefined();
    expect(simplePath('.spec.constructor').getAt(object)).toBeUndefined();
    expect(() => simplePath('.spec.replicas.deeper').getAt(object)).toThrow(
      new JsonPathError(
        '.spec.replicas.deeper accessor error: 3 is of the type int64, expected map[string]interface{}',
      ),
    );
  });

  test('writes', () => {
    const object: JsonObject = { spec: { kept: true }, text: 'x' };
    simplePath('.spec.replicas').setAt(object, 3);
    simplePath('.status.scale.replicas').setAt(object, 2);
    expect(object).toEqual({
      spec: { kept: true, replicas: 3 },
      status: { scale: { replicas: 2 } },
      text: 'x',
    });
    expect(() => simplePath('.text.a.b').setAt(object, 1)).toThrow(
      new JsonPathError('value cannot be set because .text is not a map[string]interface{}'),
    );
  });

  test('touches no prototype', () => {
    const object: JsonObject = {};
    simplePath('.__proto__.polluted').setAt(object, true);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(JSON.stringify(object)).toBe('{"__proto__":{"polluted":true}}');
  });
});
