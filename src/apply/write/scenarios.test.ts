import { describe, expect, test } from 'vitest';
import { clone, isObject, type JsonValue } from '../../meta/index.ts';
import { compareTyped } from '../typed/compare.ts';
import { type Corpus, corpus, type Operation, type Scenario } from '../managers/corpus.test-data.ts';
import { type ConversionRequest, inVersion, runConverting, type VersionedValue } from './conversion.ts';
import { FieldSet } from '../field-set/field-set.ts';
import type { KindVersions, VersionedSet } from '../managers/kind-versions.ts';
import { mergeTyped } from '../typed/merge.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { type Path, pathDisplay } from '../field-set/path-element.ts';
import { parsePathText } from '../field-set/path-text.ts';
import { extractItems, removeItems } from '../typed/select-items.ts';
import { valueTypeFromStructuralSchema } from '../types/structural-type.ts';
import { applyConfiguration, FieldConflictsError, updateManagers } from './updater.ts';
import { checkTyped } from '../typed/validate.ts';

const setOf = (paths: readonly string[]): FieldSet =>
  FieldSet.of(...paths.map((path) => parsePathText(path)));
const sorted = (paths: readonly Path[]): string[] => paths.map(pathDisplay).sort();

type Convert = (request: ConversionRequest) => JsonValue | undefined;

function renameKeys(value: JsonValue, rename: (key: string, depth: number) => string, depth = 0): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename, depth));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [rename(key, depth), renameKeys(item, rename, depth + 1)]),
  );
}

const converters: Record<string, Convert> = {
  identity: ({ value }) => value,
  suffix: ({ value, from, to }) =>
    renameKeys(value, (key) => (key.endsWith(`_${from}`) ? `${key.slice(0, -from.length)}${to}` : key)),
  repeat: ({ value, to }) =>
    renameKeys(value, (key, depth) => (depth === 0 ? key : (key[0] ?? '').repeat(Number(to.slice(1))))),
  reliant: ({ value, to }) => {
    if (to === 'v1' && isObject(value) && !Object.hasOwn(value, 'bar')) throw new Error('bar is needed');
    return renameKeys(value, (key) => (to === 'v1' ? key.replace('bar', 'foo') : key.replace('foo', 'bar')));
  },
};

/** Runs a scenario: the live value, its managers, and the current schema. */
class Play {
  readonly #corpus: Corpus;
  readonly #convert: Convert;
  readonly #ignored: Map<string, FieldSet>;
  #schema: string | Record<string, string>;
  #versions: readonly string[] | undefined;
  #live: VersionedValue = { value: null, version: 'v1' };
  managers = new Map<string, VersionedSet>();

  constructor(from: Corpus, scenario: Scenario) {
    this.#corpus = from;
    this.#convert = converters[scenario.converter ?? 'identity'] ?? (() => undefined);
    this.#ignored = new Map(Object.entries(scenario.ignore ?? {}).map(([v, paths]) => [v, setOf(paths)]));
    this.#schema = scenario.schema;
    this.#versions = scenario.versions;
  }

  run(op: Operation): void {
    if (op.setSchema !== undefined) this.#schema = op.setSchema;
    else if (op.setVersions !== undefined) this.#versions = op.setVersions;
    else if (op.update !== undefined) this.#update(op, op.update);
    else if (op.extract !== undefined) this.#extract(op, op.extract);
    else this.#expectApply(op);
  }

  value(version: string): JsonValue {
    return this.#liveIn(version).value;
  }

  #type(version: string): MergeType | undefined {
    if (this.#versions !== undefined && !this.#versions.includes(version)) return undefined;
    const name = typeof this.#schema === 'string' ? this.#schema : this.#schema[version];
    const schema = this.#corpus.schemas[name ?? ''];
    return schema === undefined ? undefined : valueTypeFromStructuralSchema(schema);
  }

  #kind(): KindVersions {
    return { typeOf: (version) => this.#type(version), ignored: this.#ignored };
  }

  #liveIn(version: string): VersionedValue {
    const live = runConverting(inVersion(this.#live, version), this.#convert);
    return live ?? { value: this.#live.value, version };
  }

  #update({ by, v }: Operation, value: JsonValue): void {
    const next = { value, version: v };
    const write = { kind: this.#kind(), manager: by, managers: this.managers };
    const managers = runConverting(updateManagers(this.#liveIn(v), next, write), this.#convert);
    this.#live = next;
    this.managers = new Map(managers);
  }

  #expectApply(op: Operation): void {
    const value = op.apply ?? null;
    const type = this.#type(op.v);
    const problems = type === undefined ? [] : checkTyped(type, value, { allowDuplicates: false });
    expect(problems.length > 0, problems.map(({ message }) => message).join()).toBe(op.error === true);
    if (op.error === true) return;
    const before = { live: clone(this.#live.value), managers: this.managers };
    expect(this.#conflictsOf(op, value)).toEqual(op.conflicts ?? {});
    if (op.conflicts !== undefined) {
      expect(this.#live.value).toEqual(before.live);
      expect(this.managers).toBe(before.managers);
    }
  }

  #conflictsOf({ by, v, force }: Operation, value: JsonValue): Record<string, string[]> {
    try {
      this.#apply({ by, v, force: force === true }, value);
      return {};
    } catch (error) {
      if (!(error instanceof FieldConflictsError)) throw error;
      const owners = [...new Set(error.conflicts.map(({ manager }) => manager))];
      const pathsOf = (owner: string) =>
        sorted(error.conflicts.filter(({ manager }) => manager === owner).map(({ path }) => path));
      return Object.fromEntries(owners.map((owner) => [owner, pathsOf(owner)]));
    }
  }

  #apply({ by, v, force }: { by: string; v: string; force: boolean }, value: JsonValue): void {
    const write = { kind: this.#kind(), manager: by, managers: this.managers, force };
    const live = this.#liveIn(v);
    const done = runConverting(applyConfiguration(live, { value, version: v }, write), this.#convert);
    this.#live = done.value === undefined ? live : { value: done.value, version: v };
    this.managers = new Map(done.managers);
  }

  #extract({ by, v }: Operation, value: JsonValue): void {
    const type = this.#type(v) ?? {};
    const own = this.managers.get(by)?.set ?? FieldSet.empty;
    const taken = extractItems(type, this.#liveIn(v).value, own.leaves());
    this.#apply({ by, v, force: true }, mergeTyped(type, taken, value));
  }
}

function managedOf(managers: ReadonlyMap<string, VersionedSet>): Record<string, unknown> {
  return Object.fromEntries(
    [...managers].map(([name, { set, version, applied }]) => [
      name,
      { v: version, op: applied ? 'Apply' : 'Update', paths: sorted(set.paths()) },
    ]),
  );
}

describe.skipIf(corpus === undefined)('scenarios of structured-merge-diff (beside the checkout)', () => {
  test('the corpus is whole', () => {
    expect(corpus?.scenarios.length).toBeGreaterThan(90);
  });

  test.each(corpus?.scenarios ?? [])('$name', (scenario) => {
    if (corpus === undefined) return;
    const play = new Play(corpus, scenario);
    for (const op of scenario.ops) play.run(op);
    const { want, managed } = scenario;
    if (want.object !== undefined) expect(play.value(want.v ?? 'v1')).toEqual(want.object);
    if (managed === undefined) return;
    const expected = Object.entries(managed).map(([name, { v, op, paths }]) => [
      name,
      { v, op, paths: sorted(setOf(paths).paths()) },
    ]);
    expect(managedOf(play.managers)).toEqual(Object.fromEntries(expected));
  });

  const typeNamed = (name: string) => valueTypeFromStructuralSchema(corpus?.schemas[name] ?? {});

  test.each(corpus?.typed.merge ?? [])('merge $l with $r', ({ schema, l, r, out }) => {
    expect(mergeTyped(typeNamed(schema), l, r)).toEqual(out);
  });

  test.each(corpus?.typed.compare ?? [])('compare $l with $r', ({ schema, l, r, ...want }) => {
    const found = compareTyped(typeNamed(schema), l, r);
    expect(sorted(found.added.paths())).toEqual(want['added'] ?? []);
    expect(sorted(found.modified.paths())).toEqual(want['modified'] ?? []);
    expect(sorted(found.removed.paths())).toEqual(want['removed'] ?? []);
  });

  test.each(corpus?.typed.remove_extract ?? [])('select $paths from $o', ({ schema, o, paths, rm, ex }) => {
    expect(removeItems(typeNamed(schema), o, setOf(paths))).toEqual(rm);
    expect(extractItems(typeNamed(schema), o, setOf(paths))).toEqual(ex);
  });
});
