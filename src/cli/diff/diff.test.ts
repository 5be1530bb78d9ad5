import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { loadCrds, LoadError } from '../../manifests/index.ts';
import { compareCrds } from '../../diff/index.ts';

const crd = (spec: JsonObject, more: JsonObject = {}, version: JsonObject = {}) => ({
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', shortNames: ['wd'] },
    versions: [
      { name: 'v1', served: true, schema: { openAPIV3Schema: { properties: { spec } } }, ...version },
    ],
    ...more,
  },
});

/** The changes between two schemas of `.spec`. */
const schemas = (before: JsonObject, after: JsonObject) =>
  compareCrds(crd(before), crd(after)).map(
    ({ severity, path, message }) => `${severity} ${path}: ${message}`,
  );

test.each<[JsonObject, JsonObject, string[]]>([
  [{}, {}, []],
  [{ type: 'integer' }, { type: 'string' }, ['breaking .spec: type changed from integer to string']],
  [{ type: 'integer' }, { type: 'number' }, ['safe .spec: type changed from integer to number']],
  [
    { type: 'string' },
    { 'x-kubernetes-int-or-string': true },
    ['safe .spec: type changed from string to integer or string'],
  ],
  [{ nullable: true }, {}, ['breaking .spec: may not be null any more']],
  [{}, { nullable: true }, ['safe .spec: may be null now']],
  [{ minimum: 1 }, { minimum: 2 }, ['breaking .spec: minimum changed from 1 to 2']],
  [{ minimum: 2 }, { minimum: 1 }, ['safe .spec: minimum changed from 2 to 1']],
  [{ maxLength: 2 }, { maxLength: 1 }, ['breaking .spec: maxLength changed from 2 to 1']],
  [{ maxLength: 2 }, {}, ['safe .spec: maxLength 2 is gone']],
  [{}, { maxItems: 5 }, ['breaking .spec: maxItems 5 is new']],
  [
    { enum: ['a', 'b'] },
    { enum: ['b', 'c'] },
    ['breaking .spec: "a" may not be given any more', 'safe .spec: "c" may be given, too'],
  ],
  [{}, { enum: ['a'] }, ['breaking .spec: only "a" may be given now']],
  [{ enum: ['a'] }, {}, ['safe .spec: every value may be given now']],
  [{ pattern: 'a' }, { pattern: 'b' }, ['breaking .spec: pattern changed from "a" to "b"']],
  [{ format: 'date' }, {}, ['safe .spec: format is gone']],
  [{}, { uniqueItems: true }, ['breaking .spec: uniqueItems is new']],
  [{ default: 1 }, { default: 2 }, ['breaking .spec: default changed from 1 to 2']],
  [{}, { default: 1 }, ['breaking .spec: has the default 1 now where it was absent']],
  [{ default: 1 }, {}, ['breaking .spec: has no default any more; it was 1']],
  [
    {},
    { 'x-kubernetes-list-type': 'set' },
    ['breaking .spec: x-kubernetes-list-type changed from "atomic" to "set"'],
  ],
  [{}, { 'x-kubernetes-list-type': 'atomic' }, []],
  [{ 'x-kubernetes-preserve-unknown-fields': true }, {}, ['breaking .spec: drops unknown fields now']],
  [
    { 'x-kubernetes-validations': [{ rule: 'self > 1' }] },
    { 'x-kubernetes-validations': [{ rule: 'self > 2', message: 'x' }] },
    ['breaking .spec: rule "self > 2" is new', 'safe .spec: rule "self > 1" is gone'],
  ],
  [
    { properties: { a: {}, b: { items: { minimum: 1 } } } },
    { properties: { c: {}, b: { items: {} } } },
    [
      'breaking .spec.a: field is gone; its values are dropped',
      'safe .spec.c: field is new',
      'safe .spec.b[]: minimum 1 is gone',
    ],
  ],
  [
    { properties: { a: {} } },
    { properties: { a: { default: 1 } }, required: ['a', 'b'] },
    [
      'safe .spec: a is required now, and has a default',
      'breaking .spec: b is required now',
      'breaking .spec.a: has the default 1 now where it was absent',
    ],
  ],
  [
    { additionalProperties: { type: 'string' } },
    { additionalProperties: { type: 'integer' } },
    ['breaking .spec.*: type changed from string to integer'],
  ],
  [{ items: {} }, {}, ['breaking .spec[]: items is gone']],
])('%j to %j', (before, after, expected) => expect(schemas(before, after)).toEqual(expected));

test('names, versions, subresources, selectable fields and gates', () => {
  const before = crd(
    {},
    { customFeatureGates: { featureGates: [{ name: 'A', preRelease: 'alpha' }, { name: 'B' }] } },
    { selectableFields: [{ jsonPath: '.spec.a' }], subresources: { scale: { specReplicasPath: '.spec.a' } } },
  );
  const after = crd(
    {},
    {
      names: { kind: 'Gadget' },
      customFeatureGates: { featureGates: [{ name: 'A', preRelease: 'beta', enabled: false }] },
    },
    { served: false, subresources: { status: {}, scale: { specReplicasPath: '.spec.b' } } },
  );
  after.spec.versions.push({ ...after.spec.versions[0], name: 'v2' } as (typeof after.spec.versions)[0]);
  expect(
    compareCrds(before, after).map(({ severity, version, message }) => `${severity} ${version}: ${message}`),
  ).toEqual([
    'breaking : kind changed from "Widget" to "Gadget"',
    'breaking : shortNames: wd is gone',
    'safe : feature gate A: preRelease changed from "alpha" to "beta"',
    'breaking : feature gate A: enabled changed from null to false',
    'safe : feature gate B is gone: its fields are always there',
    'safe v2: version is new',
    'breaking v1: is not served any more',
    'breaking v1: .spec.a cannot be selected by any more',
    'breaking v1: status is a subresource now',
    'breaking v1: the paths of the scale subresource changed',
  ]);
});

test('a CRD is read from Git as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-diff-'));
  const here = process.cwd();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  try {
    git('init', '-q');
    writeFileSync(join(folder, 'crd.yaml'), 'kind: CustomResourceDefinition\nmetadata: {name: was}\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(folder, 'crd.yaml'), 'kind: CustomResourceDefinition\nmetadata: {name: is}\n');
    process.chdir(folder);
    const [crd] = await loadCrds('git:HEAD:crd.yaml');
    expect(crd).toMatchObject({ file: 'git:HEAD:crd.yaml', object: { metadata: { name: 'was' } } });
    await expect(loadCrds('git:HEAD:none.yaml')).rejects.toThrow(LoadError);
    await expect(loadCrds('git:--output=x:crd.yaml')).rejects.toThrow(LoadError);
    await expect(loadCrds('git:--output=x:crds')).rejects.toThrow(LoadError);
  } finally {
    process.chdir(here);
    rmSync(folder, { recursive: true });
  }
});

test('the CRDs of a folder are read from Git as they were', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-diff-'));
  const here = process.cwd();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  const crdNamed = (name: string) => `kind: CustomResourceDefinition\nmetadata: {name: ${name}}\n`;
  try {
    git('init', '-q');
    mkdirSync(join(folder, 'crds/b'), { recursive: true });
    writeFileSync(join(folder, 'crds/b/z é.yaml'), crdNamed('z'));
    writeFileSync(join(folder, 'crds/a.json'), '{"kind":"CustomResourceDefinition","metadata":{"name":"a"}}');
    writeFileSync(join(folder, 'crds/README.md'), '# no manifest');
    symlinkSync('a.json', join(folder, 'crds/link.json'));
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(folder, 'crds/new.yaml'), crdNamed('new'));
    const filesOf = async (source: string) => (await loadCrds(source)).map(({ file }) => file);
    process.chdir(folder);
    expect(await filesOf('git:HEAD:crds')).toEqual(['git:HEAD:crds/a.json', 'git:HEAD:crds/b/z é.yaml']);
    expect(await filesOf('git:HEAD:./crds/b/')).toEqual(['git:HEAD:./crds/b/z é.yaml']);
    process.chdir(join(folder, 'crds'));
    expect(await filesOf('git:HEAD:crds/b')).toEqual(['git:HEAD:crds/b/z é.yaml']);
    expect(await filesOf('git:HEAD:./b')).toEqual(['git:HEAD:./b/z é.yaml']);
  } finally {
    process.chdir(here);
    rmSync(folder, { recursive: true });
  }
});

test('a new gate that is off breaks who writes its fields, if these existed before', () => {
  const spec = { properties: { old: {}, pools: { items: { properties: { size: {} } } } } };
  const gated = (preRelease: string, ...fieldPaths: string[]) =>
    compareCrds(
      crd(spec),
      crd(spec, { customFeatureGates: { featureGates: [{ name: 'New', preRelease, fieldPaths }] } }),
    ).map(({ severity, message, rule }) => `${rule}: ${severity}: ${message}`);
  expect(gated('alpha', '.spec.old', '.spec.fresh')).toEqual([
    'feature-gates: breaking: feature gate New is new and off: .spec.old can no longer be written',
  ]);
  expect(gated('alpha', '.spec.fresh')).toEqual(['feature-gates: safe: feature gate New is new']);
  expect(gated('beta', '.spec.old')).toEqual(['feature-gates: safe: feature gate New is new']);
});

test('values and rules count as their gates have them', () => {
  const rule = { rule: 'self.tone != ""' };
  const schema = (more: JsonObject, gate?: string) => ({
    properties: { tone: { type: 'string', enum: ['red', 'pink'], ...more } },
    'x-kubernetes-validations': [gate === undefined ? rule : { ...rule, featureGate: gate }],
  });
  const gated = { 'x-kubernetes-enum-feature-gates': [{ featureGate: 'Pink', values: ['pink'] }] };
  const gates = (enabled: boolean) => ({
    customFeatureGates: { featureGates: [{ name: 'Pink', preRelease: 'alpha', enabled, fieldPaths: [] }] },
  });
  const compare = (after: ReturnType<typeof crd>) =>
    compareCrds(crd(schema({}), gates(true)), after)
      .filter(({ rule: name }) => name !== 'feature-gates')
      .map(({ severity }) => severity);
  expect(compare(crd(schema(gated), gates(true)))).toEqual([]);
  expect(compare(crd(schema(gated), gates(false)))).toEqual(['breaking']);
  expect(compare(crd(schema({}, 'Pink'), gates(false)))).toEqual(['safe']);
});
