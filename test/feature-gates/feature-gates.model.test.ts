import { expect, test } from 'vitest';
import { clone, isObject, type JsonObject, type JsonValue } from '../../src/meta/index.ts';
import {
  applyPatch,
  type Crons,
  cron,
  cronCrd,
  cronsPath,
  cronVersion,
  crdPath,
  jsonPatch,
  mergePatch,
  startCrons,
} from './gated.test-support.ts';
import { type Dice, dice, type Gate, offPaths, pick, randomState } from './random-gates.test-support.ts';

/**
 * Random schemas, gates, nestings, objects, writes and turns of gates, against the tables of KEP-2608 as they are
 * written: what is stored afterwards must be what they say.
 */

const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);
const stepsPerSeed = 30;

const names = ['a', 'b', 'c', 'd'];

/** An object schema of so many levels, with a default here and there. */
function randomSchema(roll: Dice, levels: number): JsonObject {
  const properties: JsonObject = {};
  for (const name of names.slice(0, 2 + roll(3))) {
    const isObject = levels > 0 && roll(2) === 0;
    const schema = isObject ? randomSchema(roll, levels - 1) : { type: 'integer' };
    if (roll(4) === 0) schema['default'] = isObject ? randomValue(roll, schema) : 100 + roll(9);
    properties[name] = schema;
  }
  return { type: 'object', properties };
}

function randomValue(roll: Dice, schema: JsonObject): JsonObject {
  const value: JsonObject = {};
  for (const [name, below] of Object.entries(schema['properties'] as JsonObject)) {
    if (roll(3) === 0 || !isObject(below)) continue;
    value[name] = below['type'] === 'integer' ? roll(3) : randomValue(roll, below);
  }
  return value;
}

function* pathsOf(schema: JsonObject, above: string): Generator<string> {
  for (const [name, below] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    yield `${above}.${name}`;
    if (isObject(below)) yield* pathsOf(below, `${above}.${name}`);
  }
}

function randomGates(roll: Dice, schema: JsonObject): Gate[] {
  const free = [...pathsOf(schema, '.spec')].filter(() => roll(3) > 0);
  const gates: Gate[] = [];
  while (free.length > 0) {
    const fieldPaths = free.splice(0, 1 + roll(2));
    gates.push({ name: `G${gates.length}`, ...randomState(roll), fieldPaths });
  }
  return gates;
}

// The reference.

/** The container of a path and the name in it; undefined where there is no such container. */
function holder(
  root: JsonObject,
  path: string,
): { readonly in: JsonObject; readonly name: string } | undefined {
  const steps = path.slice(1).split('.');
  const name = steps.pop() ?? '';
  let at: JsonValue | undefined = root;
  for (const step of steps) at = isObject(at) ? at[step] : undefined;
  return isObject(at) ? { in: at, name } : undefined;
}

function putAt(root: JsonObject, path: string, value: JsonValue | undefined): void {
  const found = holder(root, path);
  if (found === undefined) return;
  if (value === undefined) delete found.in[found.name];
  else found.in[found.name] = clone(value);
}

const getAt = (root: JsonObject, path: string) => {
  const found = holder(root, path);
  return found?.in[found.name];
};

/** The matrix: disabled fields are as they were, absent or present, from the top down. */
function matrix(off: readonly string[], old: JsonObject, next: JsonObject): JsonObject {
  const result = clone(next);
  for (const path of [...off].sort((a, b) => b.length - a.length)) putAt(result, path, getAt(old, path));
  return result;
}

/** Defaults, but for fields whose gate is off. */
function withDefaults(schema: JsonObject, value: JsonObject, off: readonly string[], at: string): JsonObject {
  for (const [name, below] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    const path = `${at}.${name}`;
    if (!isObject(below) || (value[name] === undefined && off.includes(path))) continue;
    if (value[name] === undefined && below['default'] !== undefined) {
      const made = { x: clone(below['default']) };
      for (const inner of off) {
        if (inner.startsWith(`${path}.`)) putAt(made, `.x${inner.slice(path.length)}`, undefined);
      }
      value[name] = made.x;
    }
    const inner = value[name];
    if (isObject(inner)) withDefaults(below, inner, off, path);
  }
  return value;
}

// What happens.

/** One server with one object, and what the reference thinks of it. */
class Run {
  readonly #crons: Crons;
  readonly #schema: JsonObject;
  readonly #roll: Dice;
  #gates: Gate[];
  #stored: JsonObject;

  constructor(crons: Crons, schema: JsonObject, roll: Dice) {
    this.#crons = crons;
    this.#schema = schema;
    this.#roll = roll;
    this.#gates = [];
    this.#stored = {};
  }

  async start(): Promise<void> {
    await this.turn();
    const spec = randomValue(this.#roll, this.#schema);
    const { code, body } = await this.#crons.call('POST', cronsPath(), cron('one', { spec }));
    expect(code, body.message).toBe(201);
    this.#stored = matrix(this.#off(), {}, this.#normal({ spec }));
    await this.check();
  }

  /** New states for all gates, and sometimes other gates. */
  async turn(): Promise<void> {
    const fresh = this.#gates.length === 0 || this.#roll(6) === 0;
    this.#gates = fresh
      ? randomGates(this.#roll, this.#schema)
      : this.#gates.map(({ name, fieldPaths }) => ({ name, ...randomState(this.#roll), fieldPaths }));
    await this.setGates(this.#gates);
  }

  async setGates(gates: Gate[]): Promise<void> {
    this.#gates = gates;
    const patch = [
      {
        op: 'add',
        path: '/spec/customFeatureGates',
        value: gates.length === 0 ? null : { featureGates: gates },
      },
    ];
    const { code, body } = await this.#crons.call('PATCH', crdPath, patch, jsonPatch);
    expect(code, body.message).toBe(200);
  }

  async check(): Promise<void> {
    const { body } = await this.#crons.call('GET', `${cronsPath()}/one`);
    expect({ spec: body.spec }).toEqual(this.#read());
  }

  async write(): Promise<void> {
    const version = pick(this.#roll, ['v1', 'v1beta1']);
    const old = this.#read();
    const { next, send } = pick(this.#roll, [this.#put, this.#merge, this.#json]).call(this, old, version);
    const { code, body } = await send(`${cronsPath(version)}/one`);
    expect(code, body.message).toBe(200);
    const expected = matrix(this.#off(), old, this.#normal(next));
    expect({ spec: body.spec }).toEqual(expected);
    this.#stored = expected;
  }

  /** How an apply merges is told elsewhere; whatever it does, disabled fields stay while there is room for them. */
  async apply(): Promise<void> {
    const version = pick(this.#roll, ['v1', 'v1beta1']);
    const manager = pick(this.#roll, ['alice', 'bob']);
    const spec = randomValue(this.#roll, this.#schema);
    const old = this.#read();
    const { code, body } = await this.#crons.call(
      'PATCH',
      `${cronsPath(version)}/one?fieldManager=${manager}&force=true`,
      cron('one', { spec }, version),
      applyPatch,
    );
    // A container that an apply empties becomes null, with gates or without, and is refused.
    if (code === 422 && body.message.includes('"null"')) return;
    expect(code, body.message).toBe(200);
    const after = { spec: body.spec };
    expect(after).toEqual(matrix(this.#off(), old, after));
    this.#stored = clone(after);
  }

  #put(_: JsonObject, version: string) {
    const spec = randomValue(this.#roll, this.#schema);
    return {
      next: { spec },
      send: async (path: string) => {
        const { metadata } = (await this.#crons.call('GET', path)).body;
        return this.#crons.call('PUT', path, { ...cron('one', { spec }, version), metadata });
      },
    };
  }

  #merge(old: JsonObject) {
    const next = clone(old);
    const [path, value] = this.#change();
    const patch = path
      .slice(1)
      .split('.')
      .reduceRight<JsonValue>((below, step) => ({ [step]: below }), value ?? null);
    // A merge patch makes the containers that are missing, even to take something out of them.
    makeContainers(next, path);
    putAt(next, path, value);
    return { next, send: (at: string) => this.#crons.call('PATCH', at, patch, mergePatch) };
  }

  #json(old: JsonObject) {
    const next = clone(old);
    const spec = randomValue(this.#roll, this.#schema);
    const [path] = this.#change();
    const operations: JsonValue[] =
      getAt(next, path) === undefined
        ? [{ op: 'add', path: '/spec', value: spec }]
        : [{ op: 'remove', path: path.replaceAll('.', '/') }];
    if (getAt(next, path) === undefined) next['spec'] = clone(spec);
    else putAt(next, path, undefined);
    return { next, send: (at: string) => this.#crons.call('PATCH', at, operations, jsonPatch) };
  }

  /** A leaf or a container of the schema, and whether it shall be set or go. */
  #change(): [path: string, value: JsonValue | undefined] {
    const leaves = [...pathsOf(this.#schema, '.spec')].filter((path) => this.#isLeaf(path));
    return this.#roll(3) === 0
      ? [pick(this.#roll, [...pathsOf(this.#schema, '.spec')]), undefined]
      : [pick(this.#roll, leaves), 7];
  }

  #isLeaf(path: string): boolean {
    const schema = path
      .slice(1)
      .split('.')
      .slice(1)
      .reduce<JsonObject>((at, step) => (at['properties'] as JsonObject)[step] as JsonObject, this.#schema);
    return schema['type'] === 'integer';
  }

  #off(): string[] {
    return offPaths(this.#gates);
  }

  #normal(object: JsonObject): JsonObject {
    const { spec = {} } = clone(object);
    return { spec: withDefaults(this.#schema, spec as JsonObject, this.#off(), '.spec') };
  }

  /** What a client reads: what is stored, with today's defaults. */
  #read(): JsonObject {
    return this.#normal(this.#stored);
  }

  /** Everything that is stored, read with every gate on. */
  async checkNothingLost(): Promise<void> {
    await this.setGates([]);
    const { body } = await this.#crons.call('GET', `${cronsPath()}/one`);
    expect({ spec: body.spec }).toMatchObject(this.#stored);
    await this.check();
  }
}

function makeContainers(root: JsonObject, path: string): void {
  let at = root;
  for (const step of path.slice(1).split('.').slice(0, -1)) {
    if (!isObject(at[step])) at[step] = {};
    at = at[step] as JsonObject;
  }
}

test.each(seeds)('story %i', async (seed) => {
  const roll = dice(seed);
  const schema = randomSchema(roll, 2);
  const openAPIV3Schema = { type: 'object', properties: { spec: schema } };
  const more = { schema: { openAPIV3Schema }, subresources: {} };
  const crd = cronCrd([], [cronVersion('v1', more), cronVersion('v1beta1', more)]);
  await using crons = await startCrons({ crds: [crd] });
  const run = new Run(crons, schema, roll);
  await run.start();
  for (let step = 0; step < stepsPerSeed; step += 1) {
    const act = pick(roll, [run.turn, run.write, run.write, run.write, run.apply]);
    await act.call(run);
    await run.check();
  }
  await run.checkNothingLost();
});
