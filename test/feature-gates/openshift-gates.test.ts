import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { equal, isObject, type JsonObject, type JsonValue, type KubeObject } from '../../src/meta/index.ts';
import { SuiteBench } from '../corpus/openshift-bench.test-support.ts';
import { type Case, crdOf, exceptions, folder, type Suite } from '../corpus/openshift-corpus.test-support.ts';

/**
 * openshift/api generates a CRD for every set of feature gates: one without, and one with the fields of each gate. Here
 * both become one CRD with a gate on those fields. While it is off, the suites of the one must pass, and while it is on
 * those of the other; and every object of both must be accepted, refused and stored alike.
 */

const read = (name: string) => load(readFileSync(join(folder ?? '', name), 'utf8')) as JsonObject;
const files = folder === undefined ? [] : readdirSync(folder);
const suites = folder === undefined ? [] : readdirSync(join(folder, 'tests'));

const prefix = 'featuregated__';

/** A CRD without a gate and one with it, and the suites that go with each. */
interface Pair {
  readonly name: string;
  readonly without: string;
  readonly within: string;
  readonly offSuites: readonly string[];
  readonly onSuites: readonly string[];
}

function pairs(): Pair[] {
  const gated = files.filter((name) => /^featuregated__.*__(?!AAA_ungated)[^_]*\.yaml$/.test(name));
  const generated = gated.flatMap((within): Pair[] => {
    const without = within.replace(/__[^_]*\.yaml$/, '__AAA_ungated.yaml');
    if (!files.includes(without)) return [];
    const name = within.replace(/^featuregated__|\.yaml$/g, '');
    const [plain, negative] = [without.slice(prefix.length), name.replace(/__([^_]*)$/, '__-$1.yaml')];
    const offSuites = [plain, negative].filter((suite) => suites.includes(suite));
    return [
      { name, without, within, offSuites, onSuites: suites.filter((suite) => suite === `${name}.yaml`) },
    ];
  });
  const example = 'example_v1__0000_50_my-operator_01_stableconfigtypes-';
  const suite = (gates: string) => `example_v1__stableconfigtypes.example.openshift.io__${gates}.yaml`;
  const published = ['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade', 'CustomNoUpgrade'].map((set) => ({
    name: `${example}${set}`,
    without: `${example}Default.crd.yaml`,
    within: `${example}${set}.crd.yaml`,
    offSuites: [suite('AAA_ungated'), suite('-Example')].filter((one) => suites.includes(one)),
    onSuites: [suite('Example')].filter((one) => suites.includes(one)),
  }));
  return [...generated, ...(files.includes(`${example}Default.crd.yaml`) ? published : [])];
}

/** Two schemas as one, and how they differ. */
interface Merge {
  /** Fields that only the second has, outside of lists: what a gate can guard. */
  readonly added: string[];
  /** Places where the second takes more than the first; a gate on fields says nothing about those. */
  readonly wider: string[];
  /** Places where it says less, because it is made to be put together with others. */
  readonly looser: string[];
}

/** Adds to a schema what another one has besides. */
function merge(target: JsonObject, other: JsonObject, path: string, into: Merge): void {
  for (const key of new Set([...Object.keys(target), ...Object.keys(other)])) {
    const [known, added] = [target[key], other[key]];
    if (key === 'description' || equal(known, added)) continue;
    if (key === 'properties' && isObject(known) && isObject(added)) {
      mergeProperties(known, added, path, into);
    } else if (added === undefined && key === 'x-kubernetes-validations') into.looser.push(path);
    else if (added === undefined) {
      delete target[key];
      into.wider.push(path);
    } else if (key === 'x-kubernetes-validations') target[key] = allRules(known, added);
    else if (known === undefined || !isObject(known) || !isObject(added)) {
      target[key] = added;
      into.wider.push(path);
    } else merge(known, added, key === 'items' ? `${path}[]` : path, into);
  }
}

function mergeProperties(known: JsonObject, added: JsonObject, path: string, into: Merge): void {
  for (const [name, schema] of Object.entries(added)) {
    const mine = known[name];
    const at = path === '' ? name : `${path}.${name}`;
    if (mine === undefined) {
      known[name] = schema;
      (at.includes('[]') ? into.wider : into.added).push(at);
    } else if (isObject(mine) && isObject(schema)) merge(mine, schema, at, into);
  }
}

function allRules(known: JsonValue | undefined, added: JsonValue): JsonValue[] {
  const rules = Array.isArray(known) ? known : [];
  const more = Array.isArray(added) ? added : [];
  return [...rules, ...more.filter((rule) => !rules.some((other) => equal(other, rule)))];
}

function schemaOf(crd: JsonObject): JsonObject {
  const { versions } = crd['spec'] as { versions: { schema: { openAPIV3Schema: JsonObject } }[] };
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

/** The files carry annotations for upstream's own tools, one of them without a name. */
function crdIn(file: string): KubeObject {
  if (file.startsWith(prefix)) return crdOf(file.slice(prefix.length));
  const crd = read(file);
  return { ...crd, metadata: { name: String((crd['metadata'] as JsonObject)['name']) } };
}

function combined({ without, within }: Pair): { crd: KubeObject; found: Merge } {
  const crd = crdIn(without);
  const found: Merge = { added: [], wider: [], looser: [] };
  merge(schemaOf(crd), schemaOf(crdIn(within)), '', found);
  return { crd, found };
}

function withGate(crd: KubeObject, added: readonly string[], enabled: boolean): KubeObject {
  const gate = { name: 'Gate', preRelease: 'alpha', enabled, fieldPaths: added.map((path) => `.${path}`) };
  const spec = { ...(crd['spec'] as JsonObject), customFeatureGates: { featureGates: [gate] } };
  return { ...crd, spec };
}

type NamedCase = readonly [name: string, verb: 'create' | 'update', one: Case];

function casesOf(names: readonly string[]): NamedCase[] {
  return names.flatMap((file) => {
    // The corpus is what it is: these files hold suites.
    const { onCreate = [], onUpdate = [] } = (read(join('tests', file)) as unknown as Suite).tests;
    const usable = [
      ...onCreate.map((one) => [one.name, 'create', one] as const),
      ...onUpdate.map((one) => [one.name, 'update', one] as const),
    ];
    return usable.filter(([name]) => exceptions[name] === undefined);
  });
}

/** What a create answers, but for what differs each time; and the fields that a refusal is about. */
async function outcome(bench: SuiteBench, text: string) {
  const object = bench.objectOf(text);
  const { isRefused, answer } = await bench.call('POST', bench.collection(object), object);
  await bench.call('DELETE', bench.collection(object));
  const { apiVersion: _, metadata: __, ...content } = answer;
  return isRefused
    ? { isRefused, fields: fieldsOf(answer), content: {} }
    : { isRefused, fields: [], content };
}

/** Where a Status says that something is wrong; the root is empty. That rules were not run is no place. */
function fieldsOf(status: JsonObject): string[] {
  const { causes = [] } = (status['details'] ?? {}) as { causes?: readonly JsonObject[] };
  const real = causes.filter(
    ({ message }) => !String(message).includes('some validation rules were not checked'),
  );
  return real.map(({ field }) => String(field).replace('<nil>', ''));
}

/** Whether a refusal is only about places where the schemas differ in more than fields. */
function isAbout(fields: readonly string[], places: readonly string[]): boolean {
  const plain = fields.map((field) => field.replace(/\[\d+\]/g, '[]'));
  const isAt = (field: string, place: string) =>
    field === place || (place !== '' && (field.startsWith(`${place}.`) || field.startsWith(`${place}[`)));
  return plain.length > 0 && plain.every((field) => places.some((place) => isAt(field, place)));
}

const told = pairs()
  .map((pair) => ({ ...pair, ...combined(pair) }))
  .filter(({ found }) => found.added.length > 0);

describe.skipIf(folder === undefined)('openshift/api (skipped where the corpus is absent)', () => {
  test('has CRDs whose gates are about fields', () => expect(told.length).toBe(21));

  describe.each(told)('$name', ({ without, within, offSuites, onSuites, crd, found }) => {
    const benches = new Map<string, Promise<SuiteBench>>();
    const bench = (name: string, of: () => KubeObject) => {
      const known = benches.get(name) ?? SuiteBench.start(of());
      benches.set(name, known);
      return known;
    };
    const off = () => bench('off', () => withGate(crd, found.added, false));
    const on = () => bench('on', () => withGate(crd, found.added, true));
    const plain = () => bench('plain', () => crdIn(without));
    const gated = () => bench('gated', () => crdIn(within));
    afterAll(async () => {
      for (const one of benches.values()) await (await one).server.close();
    });

    const objects = [...casesOf(offSuites), ...casesOf(onSuites)].map(([, , { initial }]) => initial);

    test.runIf(objects.length > 0)(
      'takes and stores what the one without the gate does, while it is off',
      async () => {
        for (const text of new Set(objects)) {
          const [expected, answer] = [await outcome(await plain(), text), await outcome(await off(), text)];
          if (expected.isRefused && isAbout(expected.fields, found.wider)) continue;
          expect(answer, text).toEqual(expected);
        }
      },
    );

    test.runIf(objects.length > 0)('and what the one with the gate does, while it is on', async () => {
      for (const text of new Set(objects)) {
        const [expected, answer] = [await outcome(await gated(), text), await outcome(await on(), text)];
        if (answer.isRefused && isAbout(answer.fields, found.looser)) continue;
        expect(answer, text).toEqual(expected);
      }
    });

    /** A case that a place is refused which takes more now, gate or no gate. */
    const isWider = ({ expectedError = '' }: Case) =>
      found.wider.some((place) => expectedError.includes(place));
    const offCases = casesOf(offSuites).filter(([, , one]) => !isWider(one));
    test.runIf(offCases.length > 0).each(offCases)('off: %s', async (_, verb, one) =>
      (await off()).run(one, verb),
    );
    const onCases = casesOf(onSuites);
    test.runIf(onCases.length > 0).each(onCases)('on: %s', async (_, verb, one) =>
      (await on()).run(one, verb),
    );
  });
});
