import type { JsonObject, JsonValue } from '../../src/meta/index.ts';
import { Chance } from './chance.ts';
import { matrixChapter } from './matrix.ts';
import { bodyText, mergePatch, mutated, mutatedText } from './mutations.ts';
import { anySchema, fitting, objectSchema } from './schemas.ts';

/**
 * One request. `{{resourceVersion}}` and `{{uid}}` in its body stand for those of the object `of`, which is read first:
 * servers give them out as they like.
 */
export interface Step {
  /** A description of the request. */
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: string;
  readonly of?: string;
}

/** The requests about one CRD and its objects: the same ones for the same seed. */
export interface Chapter {
  readonly crd: JsonObject;
  /** Before the CRD is there. */
  readonly before: readonly Step[];
  readonly steps: readonly Step[];
  readonly after: readonly Step[];
}

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const json = 'application/json';
const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partials = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Makes the requests of a seed; seed 0 has combinations, not samples. */
export function chapterOf(seed: number): Chapter {
  return seed === 0 ? matrixChapter() : new Writer(seed).chapter();
}

/** What objects are made with. */
interface Kind {
  readonly crd: JsonObject;
  readonly schema: JsonObject;
  readonly collection: string;
  readonly other: string;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
}

class Writer {
  readonly #chance: Chance;
  readonly #kind: Kind;
  readonly #steps: Step[] = [];

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    this.#kind = makeKind(seed, this.#chance);
  }

  chapter(): Chapter {
    const { crd } = this.#kind;
    const name = String((crd['metadata'] as JsonObject)['name']);
    const before = this.#taken(() => this.#aboutCrds(crd));
    const steps = this.#taken(() => this.#aboutObjects());
    const after: Step[] = [
      { what: 'delete all', method: 'DELETE', path: this.#kind.collection },
      { what: 'list after all', method: 'GET', path: this.#kind.collection },
      { what: 'read the CRD', method: 'GET', path: `${crdsPath}/${name}` },
    ];
    return { crd, before, steps, after };
  }

  #taken(write: () => void): Step[] {
    const from = this.#steps.length;
    write();
    return this.#steps.splice(from);
  }

  #add(what: string, method: string, path: string, more: Partial<Step> = {}): void {
    this.#steps.push({ what, method, path, ...more });
  }

  #send(what: string, method: string, path: string, body: string, type = json): void {
    this.#add(what, method, path, { body, type });
  }

  /** CRDs with a mistake somewhere. */
  #aboutCrds(crd: JsonObject): void {
    for (let count = 5; count > 0; count -= 1) {
      const validation = this.#chance.pick(['', '&fieldValidation=Strict', '&fieldValidation=Warn']);
      this.#send(
        'CRD with a mistake',
        'POST',
        `${crdsPath}?dryRun=All${validation}`,
        bodyText(mutated(crd, this.#chance)),
      );
    }
    const schema = bodyText(anySchema(this.#chance, 3)).replace(
      '"type":"string"',
      '"type":"string","default":5',
    );
    const wrong = bodyText(crd).replace('"properties":{', `"properties":{"extra":${schema},`);
    this.#send('CRD with another schema', 'POST', `${crdsPath}?dryRun=All`, wrong);
  }

  #aboutObjects(): void {
    const { collection, other } = this.#kind;
    this.#add('list nothing', 'GET', collection);
    this.#add('table of nothing', 'GET', collection, { accept: table });
    this.#add('get nothing', 'GET', `${collection}/absent`);
    this.#add('delete nothing', 'DELETE', `${collection}/absent`);
    for (let number = 0; number < 3; number += 1) this.#aboutObject(`o${number}`);
    for (const query of [
      '?limit=1',
      '?fieldSelector=metadata.name%3Do1',
      '?labelSelector=a',
      '?labelSelector=a%20in%20(b',
      '?fieldSelector=spec.zz%3D1',
      '?limit=x',
      '?resourceVersion=x',
      '?resourceVersionMatch=Exact',
      '?continue=nope',
      '?fieldSelector=spec.a%3Da',
    ]) {
      this.#add('list', 'GET', `${collection}${query}`);
    }
    this.#add('list v2', 'GET', other);
    this.#add('partial list', 'GET', collection, { accept: partials });
    this.#add('table', 'GET', `${collection}?includeObject=Object`, { accept: table });
    this.#add('wrong media type', 'GET', collection, { accept: 'text/plain' });
  }

  #aboutObject(name: string): void {
    const object = this.#objectNamed(name);
    const { collection } = this.#kind;
    const one = `${collection}/${name}`;
    this.#send('create', 'POST', `${collection}?fieldValidation=${this.#validation()}`, bodyText(object));
    this.#reads(name);
    this.#send('create again', 'POST', collection, bodyText(object));
    for (let count = 14; count > 0; count -= 1) this.#mutatedWrites(name, object);
    this.#life(one, object);
    this.#subresources(one, object);
    this.#end(one);
  }

  #objectNamed(name: string): JsonObject {
    const { schema, crd } = this.#kind;
    const { group, names } = crd['spec'] as { group: string; names: { kind: string } };
    const fields = fitting(schema, this.#chance) as JsonObject;
    return { apiVersion: `${group}/v1`, kind: names.kind, metadata: { name }, ...fields };
  }

  #validation(): string {
    return this.#chance.pick(['Strict', 'Warn', 'Ignore', '']);
  }

  #reads(name: string): void {
    const { collection, other } = this.#kind;
    this.#add('get', 'GET', `${collection}/${name}`);
    this.#add('get v2', 'GET', `${other}/${name}`);
    this.#add('table of one', 'GET', `${collection}/${name}`, { accept: table });
    this.#add('partial', 'GET', `${collection}/${name}`, { accept: partial });
    this.#add('YAML', 'GET', `${collection}/${name}`, { accept: 'application/yaml' });
  }

  /** The same mistake by each verb, dry. */
  #mutatedWrites(name: string, object: JsonObject): void {
    const { collection } = this.#kind;
    const one = `${collection}/${name}`;
    const chance = this.#chance;
    const query = () => `dryRun=All&fieldValidation=${this.#validation()}`;
    const text = mutatedText(object, chance);
    const elsewhere = text.replace(`"name":"${name}"`, `"name":"${name}-new"`);
    const isYaml = chance.percent(12);
    this.#send(
      'create a mistake',
      'POST',
      `${collection}?${query()}`,
      elsewhere,
      isYaml ? 'application/yaml' : json,
    );
    const versioned = text.replace('"metadata":{', '"metadata":{"resourceVersion":"{{resourceVersion}}",');
    this.#add('update to a mistake', 'PUT', `${one}?${query()}`, { body: versioned, type: json, of: one });
    if (chance.percent(20)) this.#send('update without version', 'PUT', `${one}?${query()}`, text);
    this.#send('merge a mistake', 'PATCH', `${one}?${query()}`, this.#patchTo(object, text), merge);
    const force = chance.percent(50) ? '&force=true' : '';
    this.#send('apply a mistake', 'PATCH', `${one}?${query()}&fieldManager=m${force}`, text, apply);
    this.#send('apply a new mistake', 'PATCH', `${one}-new?${query()}&fieldManager=m`, elsewhere, apply);
  }

  #patchTo(object: JsonObject, text: string): string {
    try {
      const wanted: JsonValue = JSON.parse(text);
      // Numbers that JavaScript writes otherwise would be lost.
      return /[0-9][.eE][0-9]|[0-9]{16}|-0/.test(text) ? text : JSON.stringify(mergePatch(object, wanted));
    } catch {
      return text;
    }
  }

  /** Writes that stay. */
  #life(one: string, object: JsonObject): void {
    const chance = this.#chance;
    const { apiVersion, kind } = object;
    const operations: readonly (readonly [string, JsonValue])[] = [
      ['label', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]],
      ['remove nothing', [{ op: 'remove', path: '/spec/nothing/here' }]],
      ['test', [{ op: 'test', path: '/kind', value: 'Nope' }]],
      ['wrong operation', [{ op: 'nope', path: '/a' }]],
      ['unknown field of an operation', [{ op: 'add', path: '/metadata/labels/c', value: 'd', bogus: 1 }]],
      ['move', [{ op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }]],
    ];
    for (const [what, patch] of operations)
      this.#send(`JSON patch: ${what}`, 'PATCH', one, JSON.stringify(patch), jsonPatch);
    this.#send('apply by m1', 'PATCH', `${one}?fieldManager=m1`, bodyText(object), apply);
    this.#send('force by m1', 'PATCH', `${one}?fieldManager=m1&force=true`, bodyText(object), apply);
    const changed = this.#changed(object);
    this.#send('apply by m2', 'PATCH', `${one}?fieldManager=m2`, bodyText(changed), apply);
    this.#send('force by m2', 'PATCH', `${one}?fieldManager=m2&force=true`, bodyText(changed), apply);
    this.#send(
      'm1 lets go',
      'PATCH',
      `${one}?fieldManager=m1&force=true`,
      JSON.stringify({ apiVersion, kind, metadata: object['metadata'] ?? null }),
      apply,
    );
    this.#add('get', 'GET', one);
    const body = bodyText(this.#changed(object)).replace(
      '"metadata":{',
      '"metadata":{"resourceVersion":"{{resourceVersion}}",',
    );
    this.#add('update', 'PUT', `${one}?fieldManager=u1`, { body, type: json, of: one });
    this.#send(
      'merge',
      'PATCH',
      `${one}?fieldManager=u2`,
      bodyText(mergePatch(object, this.#changed(object))),
      merge,
    );
    this.#add('get', 'GET', one);
    for (const query of [
      'fieldValidation=Nope',
      'dryRun=Some',
      'fieldManager=',
      'force=true',
      'pretty=1&fieldManager=a%07',
    ]) {
      this.#send(
        'odd options',
        'PATCH',
        `${one}?${query}`,
        '{"metadata":{"labels":{"o":"p"}}}',
        chance.pick([merge, apply]),
      );
    }
    this.#send('wrong media type', 'PATCH', one, '{}', json);
    this.#send('wrong media type', 'POST', this.#kind.collection, '{}', merge);
    this.#send(
      'strategic merge',
      'PATCH',
      one,
      '{"metadata":{"labels":{"s":"m"}}}',
      'application/strategic-merge-patch+json',
    );
  }

  /** Another value for something of an object that fits its schema. */
  #changed(object: JsonObject): JsonObject {
    const fields = fitting(this.#kind.schema, this.#chance) as JsonObject;
    const keys = Object.keys(fields);
    if (keys.length === 0) return object;
    return {
      ...object,
      ...Object.fromEntries(this.#chance.some(keys, 60).map((key) => [key, fields[key] ?? null])),
    };
  }

  #subresources(one: string, object: JsonObject): void {
    const { hasStatus, hasScale } = this.#kind;
    const { apiVersion, kind, metadata } = object;
    const status = fitting(
      ((this.#kind.schema['properties'] as JsonObject)['status'] ?? { type: 'object' }) as JsonObject,
      this.#chance,
    );
    const mine = { apiVersion: apiVersion ?? null, kind: kind ?? null, metadata: metadata ?? null, status };
    const versioned = bodyText(mine).replace(
      '"metadata":{',
      '"metadata":{"resourceVersion":"{{resourceVersion}}",',
    );
    this.#add('status', 'GET', `${one}/status`);
    this.#add('update the status', 'PUT', `${one}/status`, { body: versioned, type: json, of: one });
    if (hasStatus) {
      this.#send(
        'merge a status',
        'PATCH',
        `${one}/status?fieldValidation=Warn`,
        bodyText({ status: { bogus: 1 }, metadata: { labels: { s: 't' } } }),
        merge,
      );
      this.#send(
        'apply a status',
        'PATCH',
        `${one}/status?fieldManager=st&force=true`,
        bodyText(mine),
        apply,
      );
      this.#send(
        'a status with a mistake',
        'PATCH',
        `${one}/status?dryRun=All&fieldValidation=Strict`,
        bodyText({ status: mutated({ status }, this.#chance)['status'] ?? null }),
        merge,
      );
    }
    this.#add('scale', 'GET', `${one}/scale`);
    if (!hasScale) return;
    for (const replicas of [3, -1, null, '"x"', '1.0']) {
      this.#send('scale to', 'PATCH', `${one}/scale`, `{"spec":{"replicas":${replicas}}}`, merge);
    }
    const scale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"${String((metadata as JsonObject)['name'])}","resourceVersion":"{{resourceVersion}}"},"spec":{"replicas":2}}`;
    this.#add('update the scale', 'PUT', `${one}/scale`, { body: scale, type: json, of: one });
    this.#add('get', 'GET', one);
  }

  #end(one: string): void {
    this.#send('delete with a wrong uid', 'DELETE', one, '{"preconditions":{"uid":"nope"}}');
    this.#send('delete with a wrong version', 'DELETE', one, '{"preconditions":{"resourceVersion":"1"}}');
    this.#send('delete with odd options', 'DELETE', one, '{"propagationPolicy":"Nope"}');
    if (!this.#chance.percent(50)) return;
    this.#send('hold', 'PATCH', one, '{"metadata":{"finalizers":["example.com/hold"]}}', merge);
    this.#add('delete', 'DELETE', one);
    this.#add('get the deleted', 'GET', one);
    this.#send(
      'add a finalizer',
      'PATCH',
      one,
      '{"metadata":{"finalizers":["example.com/hold","example.com/more"]}}',
      merge,
    );
    this.#send('let go', 'PATCH', one, '{"metadata":{"finalizers":null}}', merge);
    this.#add('get the gone', 'GET', one);
  }
}

function makeKind(seed: number, chance: Chance): Kind {
  const spec: JsonObject = { ...objectSchema(chance, 3), 'x-kubernetes-map-type': 'granular' };
  const properties: JsonObject = { spec };
  if (chance.percent(75)) properties['status'] = statusSchema(chance);
  if (chance.percent(20)) properties['extra'] = anySchema(chance, 1);
  const schema: JsonObject = { type: 'object', properties };
  const hasStatus = chance.percent(60);
  const hasScale = chance.percent(35);
  if (hasScale)
    (spec['properties'] as JsonObject)['replicas'] = {
      type: 'integer',
      ...(chance.percent(50) ? { minimum: 0 } : {}),
    };
  const group = `g${seed}.example.com`;
  const subresources: JsonObject = {};
  if (hasStatus) subresources['status'] = {};
  if (hasScale)
    subresources['scale'] = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const version = (name: string) => versionOf(name, schema, subresources, chance);
  const isNamespaced = chance.percent(70);
  const base = (name: string) => `/apis/${group}/${name}/${isNamespaced ? 'namespaces/default/' : ''}widgets`;
  const crd: JsonObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [{ ...version('v1'), storage: true }, version('v2')],
    },
  };
  return { crd, schema, collection: base('v1'), other: base('v2'), hasStatus, hasScale };
}

function statusSchema(chance: Chance): JsonObject {
  const schema = objectSchema(chance, 2);
  if (chance.percent(25)) schema['default'] = { replicas: 1 };
  (schema['properties'] as JsonObject)['replicas'] = { type: 'integer' };
  delete schema['required'];
  delete schema['x-kubernetes-validations'];
  return schema;
}

function versionOf(name: string, schema: JsonObject, subresources: JsonObject, chance: Chance): JsonObject {
  const version: JsonObject = { name, served: true, storage: false, schema: { openAPIV3Schema: schema } };
  if (Object.keys(subresources).length > 0) version['subresources'] = subresources;
  if (chance.percent(40)) {
    version['additionalPrinterColumns'] = [
      {
        name: 'A',
        type: chance.pick(['string', 'integer', 'number', 'boolean', 'date']),
        jsonPath: '.spec.a',
      },
      {
        name: 'B',
        type: 'string',
        jsonPath: chance.pick(['.spec', '.spec.list[0]', '.status.replicas', '.metadata.labels.a']),
      },
    ];
  }
  if (name === 'v2' && chance.percent(20)) version['deprecated'] = true;
  return version;
}
