import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import {
  clone,
  defaultFeatureGates,
  equal,
  FieldPath,
  fieldErrorText,
  isObject,
  type JsonObject,
  type JsonValue,
  ownList,
  ownObject,
  ownString,
} from '../meta/index.ts';
import { type CompiledSchema, checkSchema, compileRules, compileSchema, RuleEnvironments } from './index.ts';

/** Real CRDs with objects, if the corpus is present: see `test/corpus.test-support.ts`. */
const corpus = process.env['ILK_CORPUS'];
const gates = defaultFeatureGates();
const environments = new RuleEnvironments({ major: 1, minor: 35 });

function filesUnder(folder: string, accept: (path: string) => boolean): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesUnder(path, accept);
    return accept(path) && /\.ya?ml$/.test(name) ? [path] : [];
  });
}

/** Samples that js-yaml parses differently from Go's YAML library, which is outside of this module. */
const leftOut: Readonly<Record<string, string>> = {
  'examples__ci-output-artifact.yaml': 'the indentation of a quoted text is refused',
  'examples__v1__pipelineruns__beta__pipeline-emitting-results.yaml': 'the indentation of a brace is refused',
  'examples__v1__pipelineruns__stepaction-params.yaml': 'the indentation of a brace is refused',
  'examples__v1__taskruns__array-default.yaml': 'the indentation of a bracket is refused',
  'examples__arguments-artifacts.yaml': '0755 is an octal number in YAML 1.1 only',
};

/** The objects of a file; timestamps are converted back to strings, as in Kubernetes' YAML. */
function objectsOf(path: string): JsonObject[] {
  if (leftOut[basename(path)] !== undefined) return [];
  return parse(readFileSync(path, 'utf8')).filter(isObject);
}

function parse(text: string): JsonValue[] {
  const documents: JsonValue = JSON.parse(JSON.stringify(loadAll(text)));
  return Array.isArray(documents) ? documents : [];
}

interface Version {
  readonly schema: JsonObject;
  readonly statusEnabled: boolean;
  readonly compiled: CompiledSchema;
}

const inFolder = (name: string) => (path: string) => path.includes(`/${name}/`);
const isDefinitionFile = (path: string) => !/\/(samples|samples-invalid|tests)\//.test(path);

function definitions(): { name: string; definition: JsonObject; path: string }[] {
  return filesUnder(corpus ?? '', isDefinitionFile).flatMap((path) =>
    objectsOf(path)
      .filter((object) => object['kind'] === 'CustomResourceDefinition')
      .map((definition) => ({
        name: ownString(ownObject(definition, 'metadata') ?? {}, 'name') ?? '',
        definition,
        path,
      })),
  );
}

function versionsOf(definition: JsonObject): Map<string, Version> {
  const spec = ownObject(definition, 'spec') ?? {};
  const group = ownString(spec, 'group') ?? '';
  const kind = ownString(ownObject(spec, 'names') ?? {}, 'kind') ?? '';
  const found = new Map<string, Version>();
  for (const version of (ownList(spec, 'versions') ?? []).filter(isObject)) {
    const schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema');
    if (schema === undefined) continue;
    const statusEnabled = ownObject(ownObject(version, 'subresources') ?? {}, 'status') !== undefined;
    const key = `${group}/${ownString(version, 'name')} ${kind}`;
    found.set(key, {
      schema,
      statusEnabled,
      compiled: compileSchema(schema, { gates, compileRules: compileRules(environments) }),
    });
  }
  return found;
}

/** The errors of a create. */
function refusals(compiled: CompiledSchema, object: JsonObject): string[] {
  const unknownFields: string[] = [];
  const copy = clone(object);
  compiled.normalize(copy, { unknownFields });
  const errors = compiled.validate({ object: copy, scope: 'object' }).errors.map(fieldErrorText);
  return [...unknownFields.map((path) => `unknown field "${path}"`), ...errors];
}

const typeOf = (object: JsonObject) => `${ownString(object, 'apiVersion')} ${ownString(object, 'kind')}`;

describe.skipIf(corpus === undefined)('the corpus', () => {
  const all = corpus === undefined ? [] : definitions();
  const versions = new Map(all.flatMap(({ definition }) => [...versionsOf(definition)]));
  // Some CRDs have variants for several channels: the later ones of this list have more fields.
  for (const { definition, path } of all) {
    if (path.includes('/experimental') || path.includes('/full')) {
      for (const [key, version] of versionsOf(definition)) versions.set(key, version);
    }
  }

  test('every CRD is valid', () => {
    const refused = all.flatMap(({ name, definition }) =>
      [...versionsOf(definition)].flatMap(([key, { schema, statusEnabled }]) =>
        checkSchema(schema, FieldPath.of('schema'), { gates, statusEnabled }).map(
          (error) => `${name} ${key}: ${fieldErrorText(error)}`,
        ),
      ),
    );
    expect(all.length).toBe(264);
    expect(refused).toEqual([]);
  });

  test('accepts samples', () => {
    const refused: string[] = [];
    let count = 0;
    for (const path of filesUnder(corpus ?? '', inFolder('samples'))) {
      for (const object of objectsOf(path)) {
        const version = versions.get(typeOf(object));
        if (version === undefined) continue;
        count += 1;
        const found = refusals(version.compiled, object);
        if (found.length > 0) refused.push(`${basename(path)}: ${found.join('; ')}`);
      }
    }
    expect(count).toBeGreaterThan(500);
    // `template:` without a value: null is dropped, and then the field is missing.
    expect(refused).toEqual([
      'config__samples__keda_v1alpha1_scaledjob.yaml: spec.jobTargetRef.template: Required value',
    ]);
  });

  test('refuses invalid samples', () => {
    const files = filesUnder(corpus ?? '', inFolder('samples-invalid'));
    expect(files).toHaveLength(36);
    const accepted = files.filter((path) =>
      objectsOf(path).every((object) => {
        const version = versions.get(typeOf(object));
        return version === undefined || refusals(version.compiled, object).length === 0;
      }),
    );
    expect(accepted.map((path) => basename(path, '.yaml'))).toEqual([]);
  });

  test('the test suites of real CRDs get the expected results of creates', () => {
    const failed: string[] = [];
    let count = 0;
    for (const path of filesUnder(corpus ?? '', (file) => file.includes('openshift-api/tests/'))) {
      const definition = join(dirname(dirname(path)), `featuregated__${basename(path)}`);
      if (!existsSync(definition) || incomplete.has(basename(path))) continue;
      const suiteVersions = new Map(objectsOf(definition).flatMap((object) => [...versionsOf(object)]));
      for (const { name, initial, expected } of createTests(path)) {
        const version = suiteVersions.get(typeOf(initial));
        if (version === undefined) continue;
        count += 1;
        const errors = refusals(version.compiled, initial);
        version.compiled.normalize(initial);
        if (errors.length > 0 || !equal(initial, expected))
          failed.push(`${basename(path)} ${name}: ${errors}`);
      }
    }
    expect(count).toBeGreaterThan(100);
    // The test uses a field of a feature gate that this variant of the CRD does not have.
    expect(failed.map((text) => text.slice(0, text.indexOf(':')))).toEqual([
      'config_v1__clusterversions.config.openshift.io__ClusterUpdatePreflight.yaml Should be able to use Preflight mode with acceptRisks',
    ]);
  });
});

/** Suites whose rules refer to a field of another feature gate, which is in another CRD. */
const incomplete = new Set([
  'config_v1__authentications.config.openshift.io__ExternalOIDCExternalClaimsSourcing.yaml',
  'config_v1__authentications.config.openshift.io__ExternalOIDCWithUpstreamParity.yaml',
]);

/** The tests of a suite that create a valid object. */
function createTests(path: string): { name: string; initial: JsonObject; expected: JsonObject }[] {
  const tests = objectsOf(path).flatMap(
    (suite) => ownList(ownObject(suite, 'tests') ?? {}, 'onCreate') ?? [],
  );
  return tests.filter(isObject).flatMap((one) => {
    const [initial, expected] = [ownString(one, 'initial'), ownString(one, 'expected')];
    if (initial === undefined || expected === undefined) return [];
    const [first, second] = [initial, expected].map((text) => parse(text)[0]);
    return isObject(first) && isObject(second)
      ? [{ name: ownString(one, 'name') ?? '', initial: first, expected: second }]
      : [];
  });
}
