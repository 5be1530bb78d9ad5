import { describe, expect, test } from 'vitest';
import {
  clone,
  defaultFeatureGates,
  FieldPath,
  fieldErrorText,
  goJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../meta/index.ts';
import { RandomSchemas } from '../random-schemas.test-data.ts';
import { ruleChecks } from '../rules/rule-checks.ts';
import { RuleEnvironments } from '../rules/rule-environments.ts';
import { checkExactly, checkSchema } from './check-schema.ts';
import { everySchema } from './schema-document.ts';
import { schemaWarnings } from './schema-warnings.ts';
import { surveySchema } from './survey-schema.ts';

const gates = defaultFeatureGates();
const path = FieldPath.of('s');
const checksFor = ruleChecks(new RuleEnvironments({ major: 1, minor: 35 }), gates);
const newRules = {
  costLimited: true,
  storedExpressions: { rules: new Set<string>(), messages: new Set<string>() },
};

const texts = (check: typeof checkSchema, schema: JsonObject) =>
  check(schema, path, { gates, statusEnabled: true, ...checksFor(newRules) }).map(fieldErrorText);

/** The results that a survey must not change. */
function expectSame(schema: JsonObject): void {
  expect(texts(checkSchema, schema), goJson(schema)).toEqual(texts(checkExactly, schema));
  const unsurveyed = schemaWarnings([schema], gates, [], () => undefined);
  expect(schemaWarnings([schema], gates), goJson(schema)).toEqual(unsurveyed);
}

/** Random schema content, valid or not. */
const oddities: readonly [JsonObject, ...JsonObject[]] = [
  { type: 'strin' },
  { type: 'object' },
  { type: 'array' },
  { type: 'null' },
  { items: { type: 'string' } },
  { items: [{ type: 'string' }] },
  { properties: { metadata: { type: 'object', default: {} } } },
  { properties: { kind: { type: 'integer' } } },
  { properties: { a: { type: 'string', default: 1 }, b: { type: 'integer', default: 1.5 } } },
  { additionalProperties: { type: 'string', default: 1 } },
  { additionalProperties: false },
  { additionalProperties: true, properties: { a: { type: 'string' } } },
  { default: 'x' },
  { default: { a: 1 } },
  { default: [] },
  { default: 2, maximum: 1, type: 'integer' },
  { default: 2, minimum: 0.5, type: 'integer' },
  { default: 4_000_000_000, format: 'int32', type: 'integer' },
  { default: 'b', enum: ['a'], type: 'string' },
  { default: null },
  { nullable: true },
  { uniqueItems: true },
  { pattern: '[' },
  { pattern: '^(?i)a$' },
  { pattern: 'a**' },
  { format: 'no-such-format' },
  { format: 'int32' },
  { id: 'x' },
  { $ref: '#/x' },
  { definitions: { a: { type: 'string' } } },
  { dependencies: { a: ['b'] } },
  { patternProperties: { a: { type: 'string' } } },
  { not: { type: 'string' } },
  { not: { required: ['a'] } },
  { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  { allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '(' }] },
  { oneOf: [{ properties: { zz: { minLength: 1 } } }, { default: 1 }] },
  { anyOf: [{ properties: { metadata: {} } }, { items: { format: 'odd' } }] },
  { 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-preserve-unknown-fields': false },
  { 'x-kubernetes-embedded-resource': true },
  { 'x-kubernetes-embedded-resource': true, type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-list-type': 'atomic' },
  { 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  { 'x-kubernetes-list-type': 'odd' },
  { 'x-kubernetes-map-type': 'atomic' },
  { 'x-kubernetes-property-names': { type: 'string', pattern: '[' } },
  { 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
  { 'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.a' }, { rule: ' ' }] },
  { 'x-kubernetes-validations': [{ rule: 'self.matches(self)', message: 'm' }, { rule: 'nonsense(' }] },
];

/** Inserts content into one of the schemas of a schema. */
function spoil(schema: JsonObject, random: RandomSchemas): void {
  const all = everySchema(schema).filter(isObject);
  const target = all[random.below(all.length)];
  if (target === undefined) return;
  const keys = Object.keys(target);
  const key = keys[random.below(keys.length)];
  if (random.chance(0.2) && key !== undefined) delete target[key];
  if (random.chance(0.1) && key !== undefined) target[key] = random.value(2);
  else Object.assign(target, clone<JsonObject>(random.pick(oddities)));
}

describe('a survey does not change the errors of a schema', () => {
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

  test.each(seeds)('random valid and invalid schemas (seed %d)', (seed) => {
    const random = new RandomSchemas(seed);
    let surveyed = 0;
    for (let count = 0; count < 150; count += 1) {
      const schema = random.schema(3, true);
      for (let mistakes = random.below(4); mistakes > 0; mistakes -= 1) spoil(schema, random);
      expectSame(schema);
      if (surveySchema(schema) !== undefined) surveyed += 1;
    }
    expect(surveyed).toBeGreaterThan(10);
  });

  test.each(oddities)('$0', (odd) => {
    const places: JsonObject[] = [
      odd,
      { type: 'object', ...odd },
      { type: 'object', properties: { a: odd } },
      { type: 'object', properties: { a: { type: 'string', ...odd } } },
      { type: 'object', properties: { a: { type: 'array', items: { type: 'object', ...odd } } } },
      {
        type: 'object',
        properties: { a: { type: 'object', additionalProperties: { type: 'string', ...odd } } },
      },
      { type: 'object', properties: { metadata: { type: 'object', properties: { name: odd } } } },
    ];
    for (const schema of places) expectSame(clone(schema));
  });
});

test('the survey finds defaults to check, rules and formats', () => {
  const limits: JsonValue = {
    type: 'object',
    properties: { cpu: { type: 'string' } },
    default: { cpu: '1' },
  };
  const survey = surveySchema({
    type: 'object',
    properties: {
      replicas: { type: 'integer', format: 'int32', default: 1 },
      limits,
      names: {
        type: 'array',
        items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
      },
    },
  });
  const at = (places: readonly { site(root: FieldPath): { path: FieldPath } }[] = []) =>
    places.map((place) => place.site(path).path.toString());
  expect(at(survey?.defaults)).toEqual(['s.properties[limits]']);
  expect(at(survey?.rules)).toEqual(['s.properties[names].items']);
  expect([...(survey?.formats ?? [])]).toEqual([{ format: 'int32', type: 'integer' }]);
});
