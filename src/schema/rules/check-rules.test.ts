import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  FieldPath,
  fieldErrorText,
  type JsonObject,
  minCompatibilityVersion,
} from '../../meta/index.ts';
import { checkSchema, RuleEnvironments, type RuleCheckContext, ruleChecks } from '../index.ts';

const gates = defaultFeatureGates();
const nothingStored = { rules: new Set<string>(), messages: new Set<string>() };
const newSchema: RuleCheckContext = { costLimited: true, storedExpressions: nothingStored };

function errorsOf(schema: JsonObject, context = newSchema, minor = minCompatibilityVersion.minor): string[] {
  const checks = ruleChecks(new RuleEnvironments({ major: 1, minor }), gates)(context);
  const path = FieldPath.of('spec', 'validation', 'openAPIV3Schema');
  return checkSchema(schema, path, { ...checks, gates, statusEnabled: false }).map(fieldErrorText);
}

interface GoCase {
  readonly schema: JsonObject;
  readonly errors: readonly string[];
}
// Recorded from ValidateCustomResourceDefinition of k8s.io/apiextensions-apiserver, where type names are random.
const goCases: readonly GoCase[] = JSON.parse(
  readFileSync(new URL('./go-cases.json', import.meta.url), 'utf8'),
);

describe('recorded from kube-apiserver', () => {
  test.each(goCases.map((one, index) => [index, one] as const))('case %i', (_, { schema, errors }) => {
    expect(errorsOf(schema).sort()).toEqual([...errors].sort());
  });
});

const spec = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { spec: schema } });
const ruled = (...rules: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': rules });
const at = 'spec.validation.openAPIV3Schema.properties[spec]';

test('an unknown map type makes old values unavailable', () => {
  const rule = { type: 'string', ...ruled({ rule: 'self == oldSelf' }) };
  const schema = (mapType: string) =>
    spec({ type: 'object', properties: { a: rule }, 'x-kubernetes-map-type': mapType });
  expect(errorsOf(schema('atomic'))).toEqual([]);
  const where = `${at}.properties[a].x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf"`;
  expect(errorsOf(schema('other'))).toEqual([
    `${at}.x-kubernetes-map-type: Unsupported value: "other": supported values: "atomic", "granular"`,
    `${where}: oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}`,
  ]);
});

describe('stored rules', () => {
  const rule = 'self.includes(1)';
  const schema = spec({ type: 'array', maxItems: 5, items: { type: 'integer' }, ...ruled({ rule }) });

  test('may use features that new rules may not use yet', () => {
    expect(errorsOf(schema)[0]).toContain("undeclared reference to 'includes'");
    const stored = { rules: new Set([rule]), messages: new Set<string>() };
    expect(errorsOf(schema, { costLimited: true, storedExpressions: stored })).toEqual([]);
    expect(errorsOf(schema, newSchema, 37)).toEqual([]);
  });

  test('have no limit for a single rule, but for all together', () => {
    const items = { type: 'string', ...ruled({ rule: "self.contains('x')" }) };
    const dear = (maxItems: number) => spec({ type: 'array', maxItems, items });
    const stored = { costLimited: false, storedExpressions: nothingStored };
    const rule = `${at}.items.x-kubernetes-validations[0].rule`;
    expect(errorsOf(dear(300))).toEqual([
      `${rule}: Forbidden: estimated rule cost exceeds budget by factor of 9.4x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`,
    ]);
    expect(errorsOf(dear(300), stored)).toEqual([]);
    expect(errorsOf(dear(400), stored)).toEqual([
      `${rule}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      'spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.258296x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ]);
  });
});

describe('the keys of a map', () => {
  const keys = (names: JsonObject, rule: string): JsonObject =>
    spec({
      type: 'object',
      maxProperties: 1000,
      'x-kubernetes-property-names': { type: 'string', ...names },
      additionalProperties: { type: 'string', maxLength: 10 },
      ...ruled({ rule }),
    });

  test('have an estimated cost by maxLength, and none without it', () => {
    const rule = "self.all(k, k.contains('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'))";
    expect(errorsOf(keys({}, rule))).toEqual([]);
    expect(errorsOf(keys({ maxLength: 100_000 }, rule))[0]).toContain(
      `${at}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of`,
    );
  });

  test('have rules of their own, without oldSelf', () => {
    const names = (rule: string) => keys({ maxLength: 10, ...ruled({ rule }) }, 'true');
    const where = `${at}.x-kubernetes-property-names.x-kubernetes-validations[0].rule`;
    expect(errorsOf(names('self.size() > 1'))).toEqual([]);
    expect(errorsOf(names('self > 1'))[0]).toContain(`${where}: Invalid value: {"Rule":"self \\u003e 1"`);
    expect(errorsOf(names('self == oldSelf'))).toEqual([
      `${where}: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}.x-kubernetes-property-names`,
    ]);
  });
});
