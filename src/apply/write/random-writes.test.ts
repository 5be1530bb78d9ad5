import { describe, expect, test } from 'vitest';
import {
  type JsonObject,
  type KubeObject,
  metadataOf,
  ownList,
  ownObject,
  put,
  seededRandom,
} from '../../meta/index.ts';
import { apply, decodeManagedFields, typeFromStructuralSchema, update } from '../index.ts';
import { pathDisplay } from '../field-set/path-element.ts';
import { ApplyConflictError } from '../managers/conflict.ts';

/** Numbers in [0, 1). */
type Random = () => number;

function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

/**
 * Several managers write to one object at random, and a model of leaves predicts the result: an applied field has its
 * value and its owner; a field that its last owner no longer applies is removed; an update takes what it changes; a
 * conflict changes nothing.
 */

type Leaves = ReadonlyMap<string, string>;

const type = typeFromStructuralSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        color: { type: 'string' },
        size: { type: 'string' },
        deep: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'string' } } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
  },
});

const leaves: [string, ...string[]] = [
  '.spec.color',
  '.spec.size',
  '.spec.deep.a',
  '.spec.deep.b.c',
  '.spec.labels.x',
  '.spec.labels.__proto__',
  '.spec.tags[="p"]',
  '.spec.tags[="q"]',
];

/** The object with these leaves, and without empty containers. */
function objectOf(values: Leaves): KubeObject {
  const spec: JsonObject = {};
  const into = (parent: JsonObject, name: string): JsonObject => {
    const child = ownObject(parent, name) ?? {};
    put(parent, name, child);
    return child;
  };
  const tags: string[] = [];
  for (const [leaf, value] of values) {
    const tag = /^\.spec\.tags\[="(.)"\]$/.exec(leaf)?.[1];
    if (tag !== undefined) {
      tags.push(tag);
      continue;
    }
    const names = leaf.slice('.spec.'.length).split('.');
    const parent = names.slice(0, -1).reduce(into, spec);
    put(parent, names.at(-1) ?? '', value);
  }
  if (tags.length > 0) spec['tags'] = tags;
  return { apiVersion: 'g/v1', kind: 'Thing', metadata: { name: 'a', uid: 'u' }, spec };
}

function leavesOf(object: KubeObject | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: JsonObject, prefix: string): void => {
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'string') found.set(`${prefix}.${name}`, item);
      const below = ownObject(value, name);
      if (below !== undefined) walk(below, `${prefix}.${name}`);
      for (const tag of ownList(value, name) ?? []) found.set(`${prefix}.${name}[="${String(tag)}"]`, 'here');
    }
  };
  walk(ownObject(object ?? {}, 'spec') ?? {}, '.spec');
  return found;
}

function ownersOf(object: KubeObject | undefined): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const { identity, set } of decodeManagedFields(metadataOf(object ?? {})['managedFields']).values()) {
    const owned = set.toText().filter((path) => leaves.includes(path));
    if (owned.length > 0) owners.set(`${identity.operation} ${identity.manager}`, new Set(owned));
  }
  return owners;
}

class Model {
  values = new Map<string, string>();
  owners = new Map<string, Set<string>>();

  #othersOwning(leaf: string, manager: string): string[] {
    return [...this.owners]
      .filter(([name, owned]) => name !== manager && owned.has(leaf))
      .map(([name]) => name);
  }

  /** The owner and the path of every conflict. */
  conflicts(manager: string, configuration: Leaves): string[] {
    return [...configuration]
      .filter(([leaf, value]) => this.values.get(leaf) !== value)
      .flatMap(([leaf]) => this.#othersOwning(leaf, manager).map((owner) => `${owner} ${leaf}`))
      .sort();
  }

  apply(manager: string, configuration: Leaves): void {
    for (const [leaf, value] of configuration) this.#set(leaf, value);
    for (const leaf of this.owners.get(manager) ?? []) {
      if (!configuration.has(leaf) && this.#othersOwning(leaf, manager).length === 0)
        this.values.delete(leaf);
    }
    this.owners.set(manager, new Set(configuration.keys()));
    this.#dropEmpty();
  }

  update(manager: string, next: Leaves): void {
    const gained = new Set(this.owners.get(manager));
    for (const [leaf, value] of next) {
      if (this.values.get(leaf) === value) continue;
      this.#set(leaf, value);
      gained.add(leaf);
    }
    this.owners.set(manager, gained);
    for (const leaf of [...this.values.keys()].filter((name) => !next.has(name))) {
      this.values.delete(leaf);
      for (const owned of this.owners.values()) owned.delete(leaf);
    }
    this.#dropEmpty();
  }

  /** A new value takes the leaf from all other owners. */
  #set(leaf: string, value: string): void {
    if (this.values.get(leaf) === value) return;
    this.values.set(leaf, value);
    for (const owned of this.owners.values()) owned.delete(leaf);
  }

  #dropEmpty(): void {
    for (const [name, owned] of this.owners) if (owned.size === 0) this.owners.delete(name);
  }
}

function randomLeaves(random: Random, likely: number): Map<string, string> {
  const chosen = leaves.filter(() => random() < likely);
  return new Map(chosen.map((leaf) => [leaf, leaf.includes('tags') ? 'here' : pick(random, ['1', '2'])]));
}

/** Changes a few leaves of the object. */
function randomChange(random: Random, values: Leaves): Map<string, string> {
  const next = new Map(values);
  for (const [leaf, value] of randomLeaves(random, 0.2)) {
    if (random() < 0.3) next.delete(leaf);
    else next.set(leaf, value);
  }
  return next;
}

function conflictsOf(work: () => void): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof ApplyConflictError)) throw error;
    return error.conflicts
      .map(({ owner, path }) => `${owner.operation} ${owner.manager} ${pathDisplay(path)}`)
      .sort();
  }
}

describe('random writes by several managers', () => {
  test.each(Array.from({ length: 150 }, (_, seed) => seed))('sequence %i', (seed) => {
    const random = seededRandom(seed);
    const model = new Model();
    let live: KubeObject | undefined;
    for (let step = 1; step <= 25; step += 1) {
      const manager = pick(random, ['m', 'n', 'o']);
      const options = {
        manager,
        apiVersion: 'g/v1',
        kind: 'Thing',
        nowMs: step * 1000,
        typeOf: () => type,
        convert: (object: KubeObject) => object,
      };
      if (random() < 0.6) {
        const configuration = randomLeaves(random, 0.4);
        const force = random() < 0.5;
        const expected = force ? [] : model.conflicts(`Apply ${manager}`, configuration);
        const found = conflictsOf(() => {
          live = apply(live, objectOf(configuration), { ...options, force }).object;
        });
        expect(found).toEqual(expected);
        if (expected.length === 0) model.apply(`Apply ${manager}`, configuration);
      } else {
        const next = randomChange(random, model.values);
        const sent = objectOf(next);
        live = update(live, live === undefined ? sent : { ...live, spec: sent['spec'] ?? {} }, options);
        model.update(`Update ${manager}`, next);
      }
      expect(leavesOf(live)).toEqual(model.values);
      expect(ownersOf(live)).toEqual(model.owners);
    }
  });
});
