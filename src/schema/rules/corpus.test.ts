import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  FieldPath,
  fieldErrorText,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../meta/index.ts';
import { checkSchema, RuleEnvironments, ruleChecks } from '../index.ts';

/** Real CRDs, if the corpus is present: see `test/corpus.test-support.ts`. */
const corpus = process.env['ILK_CORPUS'];
const gates = defaultFeatureGates();
const environments = new RuleEnvironments({ major: 1, minor: 35 });

/** The objects of a file; timestamps are converted back to strings, as in Kubernetes' YAML. */
function objectsIn(path: string): JsonObject[] {
  const texts = (value: unknown): JsonValue => {
    if (value instanceof Date) return value.toISOString();
    if (Array.isArray(value)) return value.map(texts);
    if (typeof value !== 'object' || value === null) return value as JsonValue;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, texts(inner)]));
  };
  return loadAll(readFileSync(path, 'utf8')).map(texts).filter(isObject);
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: JsonObject };
}
interface Spec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly Version[];
}

function specsIn(folder: string): { file: string; spec: Spec }[] {
  return filesIn(folder).flatMap((file) =>
    objectsIn(join(folder, file))
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      // The corpus consists of CRDs that other servers have accepted.
      .map(({ spec }) => ({ file, spec: spec as unknown as Spec })),
  );
}

/** CRDs whose rules cannot be compiled alone: variants for one gate that refer to fields of others. */
const incomplete: Readonly<Record<string, string>> = {
  'featuregated__config_v1__authentications.config.openshift.io__ExternalOIDCExternalClaimsSourcing.yaml':
    'oidcClients in the status come with another gate',
  'featuregated__config_v1__authentications.config.openshift.io__ExternalOIDCWithUpstreamParity.yaml':
    'the same',
};

/** All rules in a value, at any depth. */
function rulesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(rulesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'x-kubernetes-validations' && Array.isArray(inner) ? inner : rulesIn(inner),
  );
}

const projects = corpus === undefined ? [] : readdirSync(corpus).filter((name) => !name.includes('.'));

describe.skipIf(corpus === undefined)('the corpus (skipped where it is absent)', () => {
  test.each(projects)('accepts the rules of %s', (project) => {
    const checksFor = ruleChecks(environments, gates);
    const storedExpressions = { rules: new Set<string>(), messages: new Set<string>() };
    const problems = specsIn(join(corpus ?? '', project)).flatMap(({ file, spec }) =>
      spec.versions.flatMap(({ name, schema }) => {
        const checks = checksFor({ costLimited: true, storedExpressions });
        const path = FieldPath.of(name);
        const options = { ...checks, gates, statusEnabled: false };
        const found = checkSchema(schema.openAPIV3Schema, path, options).map(fieldErrorText);
        if (incomplete[file] !== undefined) {
          expect(found.length, `${file} is listed, but complete`).toBeGreaterThan(0);
          return [];
        }
        return found.map((text) => `${file} ${text}`);
      }),
    );
    expect(problems).toEqual([]);
  });

  test('covers all rules of the corpus', () => {
    const rules = projects.flatMap((project) => specsIn(join(corpus ?? '', project)).flatMap(rulesIn));
    expect(rules).toHaveLength(2084);
  }, 120_000);
});
