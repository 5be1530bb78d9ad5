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
 * Random gates on fields of list items and map entries, random objects, writes and turns of gates: what is stored, and
 * who owns it, against a reference that finds the item of an item by its key.
 */

const seeds = Array.from({ length: 16 }, (_, seed) => seed + 1);
const stepsPerSeed = 30;

const integer = { type: 'integer' };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const listOf = (key: string, properties: JsonObject): JsonObject => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
  items: { ...object({ [key]: integer, ...properties }), required: [key] },
});
const inner = object({ c: integer, d: { ...integer, default: 8 } });
const port = listOf('port', { x: integer, y: { ...integer, default: 9 } });
const specSchema = object({
  pools: listOf('id', { a: integer, b: { ...integer, default: 7 }, inner, ports: port }),
  limits: { type: 'object', additionalProperties: object({ a: integer, b: integer, inner, ports: port }) },
  plain: integer,
});

/** Every path that can be gated; the keys of lists cannot. */
function* pathsOf(schema: JsonObject, path: string): Generator<string> {
  for (const [name, below] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    if (name === 'id' || name === 'port') continue;
    yield `${path}.${name}`;
    yield* pathsOf(below as JsonObject, `${path}.${name}`);
  }
  for (const field of ['items', 'additionalProperties']) {
    const entry = schema[field];
    if (isObject(entry)) yield* pathsOf(entry, `${path}[*]`);
  }
}

function randomGates(roll: Dice): Gate[] {
  const free = [...pathsOf(specSchema, '.spec')].filter(() => roll(3) > 0);
  const gates: Gate[] = [];
  while (free.length > 0) {
    gates.push({ name: `G${gates.length}`, ...randomState(roll), fieldPaths: free.splice(0, 1 + roll(2)) });
  }
  return gates;
}

const keyOf = (schema: JsonObject) => (schema['x-kubernetes-list-map-keys'] as string[])[0] ?? '';

function randomValue(roll: Dice, schema: JsonObject): JsonValue {
  if (schema['type'] === 'integer') return roll(3);
  const keys = [3, 1, 2].filter(() => roll(2) === 0);
  if (schema['type'] === 'array') {
    const items = schema['items'] as JsonObject;
    return keys.map((id) => ({ ...(randomValue(roll, items) as JsonObject), [keyOf(schema)]: id }));
  }
  const entry = schema['additionalProperties'];
  if (isObject(entry)) {
    return Object.fromEntries(keys.map((key) => [`entry${key}`, randomValue(roll, entry)]));
  }
  const properties = Object.entries((schema['properties'] ?? {}) as JsonObject);
  return Object.fromEntries(
    properties.flatMap(([name, below]) =>
      roll(3) === 0 ? [] : [[name, randomValue(roll, below as JsonObject)]],
    ),
  );
}

/** A value with what is at the same place of another object: a property, the entry of a key, the item of a key. */
type Visit = (schema: JsonObject, path: string, next: JsonValue, old: JsonValue | undefined) => JsonValue;

/** A value whose parts are what a visitor makes of them. */
function mapParts(
  schema: JsonObject,
  path: string,
  [next, old]: readonly [JsonValue, JsonValue | undefined],
  visit: Visit,
): JsonValue {
  if (Array.isArray(next)) {
    const key = keyOf(schema);
    const others = Array.isArray(old) ? (old as JsonObject[]) : [];
    return next.map((item) => {
      const other = others.find((one) => one[key] === (item as JsonObject)[key]);
      return visit(schema['items'] as JsonObject, `${path}[*]`, item, other);
    });
  }
  if (!isObject(next)) return next;
  const before = isObject(old) ? old : {};
  const properties = schema['properties'] as JsonObject | undefined;
  const entry = schema['additionalProperties'];
  return Object.fromEntries(
    Object.entries(next).map(([name, value]) => [
      name,
      properties === undefined
        ? visit(entry as JsonObject, `${path}[*]`, value, before[name])
        : visit(properties[name] as JsonObject, `${path}.${name}`, value, before[name]),
    ]),
  );
}

/** The matrix: fields whose gate is off are as they were, absent or present, from the top down. */
function matrix(off: readonly string[], next: JsonValue, old: JsonValue | undefined): JsonValue {
  const visit: Visit = (schema, path, value, before) => {
    const result = mapParts(schema, path, [value, before], visit);
    if (!isObject(result) || schema['properties'] === undefined) return result;
    for (const name of Object.keys(schema['properties'] as JsonObject)) {
      if (!off.includes(`${path}.${name}`)) continue;
      const stored = isObject(before) ? before[name] : undefined;
      if (stored === undefined) delete result[name];
      else result[name] = clone(stored);
    }
    return result;
  };
  return visit(specSchema, '.spec', next, old);
}

/** Defaults, but for fields whose gate is off. */
function withDefaults(off: readonly string[], next: JsonValue): JsonValue {
  const visit: Visit = (schema, path, value) => {
    const result = mapParts(schema, path, [value, undefined], visit);
    if (!isObject(result)) return result;
    for (const [name, below] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
      const byDefault = (below as JsonObject)['default'];
      const isOff = off.includes(`${path}.${name}`);
      if (result[name] === undefined && byDefault !== undefined && !isOff) result[name] = byDefault;
    }
    return result;
  };
  return visit(specSchema, '.spec', next, undefined);
}

const sorted = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
};

/** The owners of what a gate that is off guards, as far as an object has it: `alice f:spec f:pools k:{"id":1} f:a`. */
function ownersOff(off: readonly string[], body: JsonObject): string[] {
  const { managedFields = [] } = body['metadata'] as { managedFields?: JsonObject[] };
  const found: string[] = [];
  for (const { manager, operation, fieldsV1 } of managedFields) {
    const walk = (node: JsonObject, path: string, way: string) => {
      for (const [step, below] of Object.entries(node)) {
        if (step === '.') continue;
        const isEntry = step.startsWith('k:') || path === '.spec.limits';
        const at = isEntry ? `${path}[*]` : `${path}.${step.slice(2)}`;
        if (off.includes(at))
          found.push(`${manager} ${operation}${way} ${step} ${JSON.stringify(sorted(below))}`);
        else walk(below as JsonObject, at, `${way} ${step}`);
      }
    };
    walk(fieldsV1 as JsonObject, '', '');
  }
  return found.sort();
}

/** One server with one object, and what the reference thinks of it. */
class Run {
  readonly #crons: Crons;
  readonly #roll: Dice;
  #gates: Gate[] = [];
  #stored: JsonValue = {};
  #owners: string[] = [];

  constructor(crons: Crons, roll: Dice) {
    this.#crons = crons;
    this.#roll = roll;
  }

  async start(): Promise<void> {
    await this.turn();
    const spec = randomValue(this.#roll, specSchema);
    const { code, body } = await this.#crons.call('POST', cronsPath(), cron('one', { spec }));
    expect(code, body.message).toBe(201);
    this.#take(body, matrix(this.#off(), withDefaults(this.#off(), spec), undefined));
  }

  /** New states for all gates, and sometimes other gates. */
  async turn(): Promise<void> {
    const fresh = this.#gates.length === 0 || this.#roll(6) === 0;
    this.#gates = fresh
      ? randomGates(this.#roll)
      : this.#gates.map(({ name, fieldPaths }) => ({ name, ...randomState(this.#roll), fieldPaths }));
    const value = this.#gates.length === 0 ? null : { featureGates: this.#gates };
    const patch = [{ op: 'add', path: '/spec/customFeatureGates', value }];
    const { code, body } = await this.#crons.call('PATCH', crdPath, patch, jsonPatch);
    expect(code, body.message).toBe(200);
    const { body: read } = await this.#crons.call('GET', `${cronsPath()}/one`);
    if (read.kind === 'CronTab') this.#take(read, this.#stored);
  }

  async write(): Promise<void> {
    const old = this.#read();
    const spec = randomValue(this.#roll, specSchema);
    const path = `${cronsPath(pick(this.#roll, ['v1', 'v1beta1']))}/one`;
    const send = pick(this.#roll, [this.#put, this.#replace, this.#merge]);
    const { code, body } = await send.call(this, path, spec);
    expect(code, body.message).toBe(200);
    const next = send === this.#merge ? { ...(old as JsonObject), ...(spec as JsonObject) } : spec;
    const expected = matrix(this.#off(), withDefaults(this.#off(), clone(next)), old);
    this.#check(body, expected);
  }

  /** How an apply merges is told elsewhere; whatever it does, disabled fields stay, and so do their owners. */
  async apply(): Promise<void> {
    const manager = pick(this.#roll, ['alice', 'bob']);
    const spec = randomValue(this.#roll, specSchema);
    const old = this.#read();
    const { code, body } = await this.#crons.call(
      'PATCH',
      `${cronsPath()}/one?fieldManager=${manager}&force=true`,
      cron('one', { spec }),
      applyPatch,
    );
    // A container that an apply empties becomes null, with gates or without, and is refused.
    if (code === 422 && /"null"|null/.test(body.message)) return;
    expect(code, body.message).toBe(200);
    this.#check(body, matrix(this.#off(), body.spec ?? {}, old));
  }

  async #put(path: string, spec: JsonValue) {
    const { metadata } = (await this.#crons.call('GET', path)).body;
    const version = path.includes('v1beta1') ? 'v1beta1' : 'v1';
    return this.#crons.call('PUT', path, { ...cron('one', { spec }, version), metadata });
  }

  async #replace(path: string, value: JsonValue) {
    return this.#crons.call('PATCH', path, [{ op: 'add', path: '/spec', value }], jsonPatch);
  }

  /** Lists are replaced by a merge patch, and so are maps here: an entry that is missing goes. */
  async #merge(path: string, spec: JsonValue) {
    const limits = (spec as JsonObject)['limits'];
    const { body } = await this.#crons.call('GET', path);
    if (limits !== undefined && body.spec?.limits !== undefined)
      return this.#replaceParts(path, spec, body.spec);
    return this.#crons.call('PATCH', path, { spec }, mergePatch);
  }

  async #replaceParts(path: string, spec: JsonValue, before: JsonObject) {
    return this.#replace(path, { ...before, ...(spec as JsonObject) });
  }

  #check(body: JsonObject, expected: JsonValue): void {
    expect(sorted(body['spec'] ?? {})).toEqual(sorted(expected));
    const owners = ownersOff(this.#off(), body);
    // Items and entries that are gone take their owners along; nothing comes to be owned.
    expect(this.#owners).toEqual(expect.arrayContaining(owners));
    this.#take(body, expected);
  }

  #take(body: JsonObject, stored: JsonValue): void {
    this.#stored = clone(stored);
    expect(sorted(body['spec'] ?? {})).toEqual(sorted(this.#read()));
    this.#owners = ownersOff(this.#off(), body);
  }

  #off(): string[] {
    return offPaths(this.#gates);
  }

  /** What a client reads: what is stored, with today's defaults. */
  #read(): JsonValue {
    return withDefaults(this.#off(), clone(this.#stored));
  }
}

test.each(seeds)('story %i', async (seed) => {
  const roll = dice(seed);
  const openAPIV3Schema = object({ spec: specSchema });
  const more = { schema: { openAPIV3Schema }, subresources: {} };
  const crd = cronCrd([], [cronVersion('v1', more), cronVersion('v1beta1', more)]);
  await using crons = await startCrons({ crds: [crd] });
  const run = new Run(crons, roll);
  await run.start();
  for (let step = 0; step < stepsPerSeed; step += 1) {
    const act = pick(roll, [run.turn, run.write, run.write, run.write, run.apply, run.apply]);
    await act.call(run);
  }
});
