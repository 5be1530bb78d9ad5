import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  FieldPath,
  fieldErrorText,
  type JsonObject,
  minCompatibilityVersion,
} from '../../meta/index.ts';
import { checkSchema, RuleEnvironments, ruleChecks, SchemaNode } from '../index.ts';
import { storedRuleParts } from './compile-rules.ts';
import { RuleNode } from './rule-node.ts';
import { rootPlace } from './rule-type.ts';

const gates = defaultFeatureGates();
const environments = new RuleEnvironments(minCompatibilityVersion);
const labels = (names: JsonObject | undefined, rule: string): JsonObject => ({
  type: 'object',
  maxProperties: 10,
  additionalProperties: { type: 'string' },
  ...(names === undefined ? {} : { 'x-kubernetes-property-names': { type: 'string', ...names } }),
  'x-kubernetes-validations': [{ rule }],
});

function estimate(schema: JsonObject): bigint | undefined {
  const parts = storedRuleParts(environments);
  const node = new SchemaNode(schema, gates);
  const place = { ...rootPlace, isResource: false };
  return new RuleNode(
    node,
    { ...place, type: parts.types.of(node, place) },
    parts,
  ).rules[0]?.expression?.costMax();
}

function errorsOf(schema: JsonObject): string[] {
  const stored = { rules: new Set<string>(), messages: new Set<string>() };
  const checks = ruleChecks(environments, gates)({ costLimited: true, storedExpressions: stored });
  const root = { type: 'object', properties: { labels: schema } };
  return checkSchema(root, FieldPath.of('schema'), { ...checks, gates, statusEnabled: false }).map(
    fieldErrorText,
  );
}

describe('the keys of a map in estimates (KEP-5667)', () => {
  // Each of ten iterations costs 4 plus a tenth of the key's bytes.
  const rule = "self.all(k, k.contains('x'))";

  test('have no size without a limit, as upstream', () => {
    expect(estimate(labels(undefined, rule))).toBe(42n);
    expect(estimate(labels({ pattern: '^[a-z]+$' }, rule))).toBe(42n);
  });

  test('have four bytes per character with a maxLength', () => {
    expect(estimate(labels({ maxLength: 5 }, rule))).toBe(42n + 10n * 2n);
    expect(estimate(labels({ maxLength: 63 }, rule))).toBe(42n + 10n * 26n);
  });

  test('have the same size in rules of their own, which run once per key', () => {
    const own = (maxLength: number, maxProperties: number): JsonObject => ({
      type: 'object',
      maxProperties,
      additionalProperties: { type: 'string' },
      'x-kubernetes-property-names': {
        type: 'string',
        maxLength,
        'x-kubernetes-validations': [{ rule: "self.matches('[a-z]+[0-9]+')" }],
      },
    });
    // 1 for self and (4 * 249 + 1) / 10 * 12 / 4: 301 for each of 33,223 keys are 10,000,123.
    expect(errorsOf(own(249, 33_222))).toEqual([]);
    expect(errorsOf(own(249, 33_223))).toEqual([
      'schema.properties[labels].x-kubernetes-property-names.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.000012x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ]);
  });

  test('are as long as a request in rules of their own without a limit', () => {
    const own = (names: JsonObject): JsonObject => ({
      type: 'object',
      maxProperties: 1_000,
      additionalProperties: { type: 'string' },
      'x-kubernetes-property-names': {
        type: 'string',
        ...names,
        'x-kubernetes-validations': [{ rule: "self.matches('[a-z]+[0-9]+')" }],
      },
    });
    expect(errorsOf(own({ maxLength: 1_000 }))).toEqual([]);
    expect(errorsOf(own({ enum: ['a1', 'b2'] }))).toEqual([]);
    expect(errorsOf(own({}))[0]).toContain(
      ': Forbidden: estimated rule cost exceeds budget by factor of 94.4x',
    );
  });
});
