import { describe, expect, test } from 'vitest';
import { defaultFeatureGates, type JsonObject, minCompatibilityVersion } from '../../meta/index.ts';
import { RuleEnvironments, SchemaNode } from '../index.ts';
import { storedRuleParts } from './compile-rules.ts';
import { RuleNode } from './rule-node.ts';

const environments = new RuleEnvironments(minCompatibilityVersion);

/** The estimated cost of a schema's rule. */
function estimate(schema: JsonObject, rule: string): number {
  const node = new SchemaNode({ ...schema, 'x-kubernetes-validations': [{ rule }] }, defaultFeatureGates());
  const parts = storedRuleParts(environments);
  const place = { isResource: false, name: 'selfType' };
  const [compiled] = new RuleNode(node, { ...place, type: parts.types.of(node, place) }, parts).rules;
  expect(compiled?.error).toBeUndefined();
  return Number(compiled?.expression?.costMax());
}

const number = { type: 'number' };
const text = { type: 'string' };
const bool = { type: 'boolean' };
const intOrString = { 'x-kubernetes-int-or-string': true };
const format = (name: string): JsonObject => ({ type: 'string', format: name });
const limited = (name: string, limit: number | undefined): JsonObject =>
  limit === undefined ? {} : { [name]: limit };

/** A schema without the limit and with it. */
type Limited = (limit: number | undefined) => JsonObject;
const list =
  (items: JsonObject): Limited =>
  (limit) => ({ type: 'array', items, ...limited('maxItems', limit) });
const map =
  (additionalProperties: JsonObject): Limited =>
  (limit) => ({ type: 'object', additionalProperties, ...limited('maxProperties', limit) });
const string: Limited = (limit) => ({ ...text, ...limited('maxLength', limit) });
const bytes: Limited = (limit) => ({ ...format('byte'), ...limited('maxLength', limit) });
const choice: Limited = (limit) => ({
  ...text,
  enum: ['N', 'S', 'E', 'WestByWest'.slice(0, 9)],
  ...limited('maxLength', limit),
});

/** An object with the minimum size in upstream's tests. */
const required: JsonObject = {
  type: 'object',
  required: ['required'],
  properties: { required: text, optional: text },
};

/**
 * The estimates that upstream publishes: the figures of compilation_test.go of k8s.io/apiextensions-apiserver, without
 * and with limits, for our own schemas.
 */
type Row = readonly [rule: string, schema: Limited, free: number, limit: number, bounded: number];

const rows: Readonly<Record<string, readonly Row[]>> = {
  'loops over lists': [
    ['self.all(v, true)', list(number), 4_718_591, 10, 32],
    ['self.all(v, true)', list(text), 3_145_727, 20, 62],
    ['self.all(v, true)', list(bool), 1_887_437, 5, 17],
    ['self.all(v, true)', list(intOrString), 4_718_591, 10, 32],
    ['self.all(v, true)', list(list(number)(undefined)), 3_145_727, 100, 302],
    ['self.all(v, true)', list(format('duration')), 2_359_295, 5, 17],
    ['self.all(v, true)', list(format('date')), 725_936, 15, 47],
    ['self.all(v, true)', list(format('date-time')), 428_963, 25, 77],
    ['self.all(v, v.y == 25.2)', list(map(number)(undefined)), 6_291_452, 12, 74],
    ['self.all(v, v == 0.0)', list(number), 6_291_454, 3 * 1024 * 2048, 25_165_826],
  ],
  'loops over maps': [
    ['self.all(k, true)', map(number), 1_348_169, 10, 32],
    ['self.all(k, true)', map(text), 1_179_647, 3, 11],
    ['self.all(k, true)', map(bool), 943_718, 100, 302],
    ['self.all(k, true)', map(intOrString), 1_348_169, 15, 47],
    ['self.all(k, true)', map(required), 428_963, 20, 62],
    ['self.all(k, true)', map(map(number)(undefined)), 1_179_647, 10, 32],
    ['self.all(k, true)', map(list(number)(undefined)), 1_179_647, 25, 77],
    ['self.all(k, true)', map(format('duration')), 1_048_577, 5, 17],
    ['self.all(k, true)', map(format('date')), 524_288, 10, 32],
    ['self.all(k, true)', map(format('date-time')), 349_526, 25, 77],
  ],
  'loops within loops': [
    ['self.all(a, self.all(b, true))', list(number), Number.POSITIVE_INFINITY, 10, 352],
    ['self.all(a, self.all(b, self.all(c, true)))', list(number), Number.POSITIVE_INFINITY, 10, 3552],
  ],
  'has, of which only the operand is paid for': [
    ['has(self.y)', map(number), 1, 100, 1],
    ['has(self.y)', map(required), 1, 9001, 1],
    ['has(self.y)', map(list(number)(undefined)), 1, 40_000, 1],
  ],
  indexes: [
    ['self[1] == 0.0', list(number), 2, 5000, 2],
    ['self[1] == self[1]', list(text), 314_577, 8, 314_577],
    ['self[0] == 5', list(intOrString), 3, 10, 3],
    ['self[0] == false', list(bool), 2, 25, 2],
    ['self[0] == null', list({ ...required, nullable: true }), 2, 422, 2],
    ['self[0][0] == -1.0', list(list(number)(undefined)), 3, 51, 3],
    ['self[0].y > 2.0', list(map(number)(undefined)), 4, 3000, 4],
    ['self[0].getHours() == 2', list(format('duration')), 4, 525, 4],
    ['self[2].getDayOfMonth() == 13', list(format('date')), 4, 42, 4],
    ['self[2].getMinutes() == 45', list(format('date-time')), 4, 99, 4],
    ['self["y"] == 0.0', map(number), 2, 0, 2],
    ['self["a"] == self["b"]', map(format('date-time')), 8, 7, 8],
    ['self["a"] == self["b"]', map(format('duration')), 8, 42, 8],
  ],
  texts: [
    ["self.contains('four')", string, 314_574, 10, 5],
    ["self.startsWith('four')", string, 2, 15, 2],
    ["self.endsWith('four')", string, 2, 30, 2],
    ["size(self + 'fives') > size('fives')", string, 314_578, 4, 7],
    ["self.matches('y')", string, 314_574, 50, 22],
    ["''.matches('(((((((((())))))))))[0-9]')", string, 7, 10, 7],
    ["self.matches('')", string, 1, 100, 1],
    ["self == 'y'", string, 2, 0, 1],
    ["self == b'y'", bytes, 2, 0, 1],
    ["self.find('[0-9]+') == ''", string, 629_147, 10, 11],
    ["self.lowerAscii() == 'lower?'", string, 314_575, 10, 6],
    ["self.contains('N')", choice, 2, 1000, 401],
    ['isQuantity(self)', (limit) => ({ ...intOrString, ...limited('maxLength', limit) }), 314_574, 20, 9],
  ],
};

describe.each(Object.entries(rows))('the published estimates of %s', (_, table) => {
  test.each(table.map((row) => [row[0], JSON.stringify(row[1](undefined)), row] as const))(
    '%s over %s',
    (rule, _schema, [, schema, free, limit, bounded]) => {
      const unbounded = estimate(schema(undefined), rule);
      expect(unbounded > 1e8 ? Number.POSITIVE_INFINITY : unbounded).toBe(free);
      expect(estimate(schema(limit), rule)).toBe(bounded);
    },
  );
});
