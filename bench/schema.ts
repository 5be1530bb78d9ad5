import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { loadAll } from 'js-yaml';
import {
  clone,
  defaultFeatureGates,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
} from '../src/meta/index.ts';
import { type CompiledSchema, compileSchema } from '../src/schema/index.ts';
import { findCorpus } from '../test/corpus.test-support.ts';

/**
 * Real objects of real definitions, validated and normalized by this room and by Ajv's generated code.
 */
const gates = defaultFeatureGates();

interface Version {
  readonly key: string;
  readonly schema: JsonObject;
}

interface Sample {
  readonly key: string;
  readonly object: JsonObject;
}

interface Contestants {
  readonly name: string;
  readonly ours: () => void;
  readonly theirs: () => void;
}

function objectsUnder(folder: string, accept: (path: string) => boolean): JsonObject[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return objectsUnder(path, accept);
    if (!name.endsWith('.yaml') || !accept(path)) return [];
    try {
      const documents: unknown = JSON.parse(JSON.stringify(loadAll(readFileSync(path, 'utf8'))));
      return Array.isArray(documents) ? documents.filter(isObject) : [];
    } catch {
      return [];
    }
  });
}

function versionsOf(definition: JsonObject): Version[] {
  const spec = ownObject(definition, 'spec') ?? {};
  const kind = ownString(ownObject(spec, 'names') ?? {}, 'kind');
  return (ownList(spec, 'versions') ?? []).filter(isObject).flatMap((version) => {
    const schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema');
    return schema === undefined
      ? []
      : [{ key: `${ownString(spec, 'group')}/${ownString(version, 'name')} ${kind}`, schema }];
  });
}

/**
 * The schema in the dialect of Ajv. Formats and CEL rules are left out on both sides' account: samples have few of
 * the former, and Ajv does not support the latter. With `closed`, unknown fields are forbidden, so that Ajv prunes.
 */
function toAjv(schema: JsonObject, closed: boolean, isRoot = false): JsonObject {
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (
      keyword.startsWith('x-') ||
      ['description', 'format', 'example', 'externalDocs', 'title'].includes(keyword)
    )
      continue;
    if (keyword === 'pattern' && !isNativePattern(value)) continue;
    result[keyword] = convertKeyword(keyword, value, closed);
  }
  if (schema['x-kubernetes-int-or-string'] === true) result['type'] = ['integer', 'string'];
  if (schema['exclusiveMinimum'] === true) moveBound(result, 'minimum', 'exclusiveMinimum');
  if (schema['exclusiveMaximum'] === true) moveBound(result, 'maximum', 'exclusiveMaximum');
  if (result['nullable'] === true && result['type'] === undefined) delete result['nullable'];
  const open =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    own(schema, 'additionalProperties') !== undefined;
  if (closed && schema['type'] === 'object' && !open) result['additionalProperties'] = false;
  if (isRoot) {
    const properties = ownObject(result, 'properties') ?? {};
    result['properties'] = { apiVersion: {}, kind: {}, ...properties, metadata: {} };
  }
  return result;
}

/** Patterns are RE2, which JavaScript's own expressions mostly understand. */
function isNativePattern(value: JsonValue): boolean {
  try {
    return new RegExp(String(value)).source !== '';
  } catch {
    return false;
  }
}

function moveBound(schema: JsonObject, from: string, to: string): void {
  schema[to] = schema[from] ?? 0;
  delete schema[from];
}

function convertKeyword(keyword: string, value: JsonValue, closed: boolean): JsonValue {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, isObject(child) ? toAjv(child, closed) : child]),
    );
  }
  if (['items', 'additionalProperties', 'not'].includes(keyword) && isObject(value)) {
    return toAjv(value, keyword === 'not' ? false : closed);
  }
  if (['allOf', 'anyOf', 'oneOf'].includes(keyword) && Array.isArray(value)) {
    return value.map((child) => (isObject(child) ? toAjv(child, false) : child));
  }
  return value;
}

function newAjv(more: object = {}): Ajv {
  return new Ajv({
    strict: false,
    unicodeRegExp: false,
    validateFormats: false,
    allowUnionTypes: true,
    ...more,
  });
}

/** The median of several rounds, in microseconds. */
function medianMicroseconds(work: () => void): number {
  const rounds: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const start = process.hrtime.bigint();
    work();
    rounds.push(Number(process.hrtime.bigint() - start) / 1e3);
  }
  return rounds.sort((a, b) => a - b)[7] ?? 0;
}

function compare({ name, ours, theirs }: Contestants): string {
  for (let round = 0; round < 20; round += 1) {
    ours();
    theirs();
  }
  const mine = medianMicroseconds(ours);
  const other = medianMicroseconds(theirs);
  return `${name.padEnd(52)}${mine.toFixed(0).padStart(9)} us${other.toFixed(0).padStart(9)} us${(other / mine).toFixed(2).padStart(8)} x`;
}

/** How many times a round goes over all samples, so that a round is long enough to be measured. */
const passes = 5;

function contests(samples: readonly Sample[], schemas: ReadonlyMap<string, JsonObject>): Contestants[] {
  const ours = new Map<string, CompiledSchema>();
  const ajv = newAjv();
  const pruning = newAjv({ removeAdditional: true, useDefaults: true });
  const theirs = new Map<string, (object: unknown) => unknown>();
  const theirPruning = new Map<string, (object: unknown) => unknown>();
  for (const { key } of samples) {
    const schema = schemas.get(key);
    if (schema === undefined || ours.has(key)) continue;
    ours.set(key, compileSchema(schema, { gates }));
    theirs.set(key, ajv.compile(toAjv(schema, false, true)));
    theirPruning.set(key, pruning.compile(toAjv(schema, true, true)));
  }
  const normalized = samples.map(({ key, object }) => {
    const copy = clone(object);
    ours.get(key)?.normalize(copy);
    return { key, object: copy };
  });
  const texts = samples.map(({ key, object }) => ({ key, text: JSON.stringify(object) }));
  // Results are kept, so that nothing of the work can be left out.
  const tally = { count: 0 };
  return [
    {
      name: `validate ${samples.length} objects`,
      ours: () => {
        for (let pass = 0; pass < passes; pass += 1) {
          for (const { key, object } of normalized) {
            tally.count += ours.get(key)?.validate({ object, scope: 'object' }).errors.length ?? 0;
          }
        }
      },
      theirs: () => {
        for (let pass = 0; pass < passes; pass += 1) {
          for (const { key, object } of normalized) tally.count += theirs.get(key)?.(object) === true ? 0 : 1;
        }
      },
    },
    {
      name: 'parse, prune, default and validate them',
      ours: () => {
        for (const { key, text } of texts) {
          const object: JsonObject = JSON.parse(text);
          const unknownFields: string[] = [];
          ours.get(key)?.normalize(object, { unknownFields });
          tally.count += ours.get(key)?.validate({ object, scope: 'object' }).errors.length ?? 0;
        }
      },
      theirs: () => {
        for (const { key, text } of texts)
          tally.count += theirPruning.get(key)?.(JSON.parse(text)) === true ? 0 : 1;
      },
    },
    {
      name: '(of which parsing)',
      ours: () => {
        for (const { text } of texts) tally.count += Object.keys(JSON.parse(text)).length;
      },
      theirs: () => {
        for (const { text } of texts) tally.count += Object.keys(JSON.parse(text)).length;
      },
    },
  ];
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** Compiles every version of every definition, and lets each see an object once. */
function compileRow(versions: readonly Version[], samples: readonly Sample[]): string {
  const before = heapMegabytes();
  const start = performance.now();
  const compiled = new Map(versions.map(({ key, schema }) => [key, compileSchema(schema, { gates })]));
  const compiledMs = performance.now() - start;
  const afterCompile = heapMegabytes();
  const firstStart = performance.now();
  for (const { key, object } of samples) {
    const copy = clone(object);
    compiled.get(key)?.normalize(copy);
    compiled.get(key)?.validate({ object: copy, scope: 'object' });
  }
  const firstMs = performance.now() - firstStart;
  const afterUse = heapMegabytes();
  return [
    `compile ${versions.length} versions: ${compiledMs.toFixed(1)} ms, ${(afterCompile - before).toFixed(1)} MB;`,
    `first ${samples.length} objects: ${firstMs.toFixed(0)} ms, ${(afterUse - afterCompile).toFixed(1)} MB (${compiled.size} kept)`,
  ].join(' ');
}

/** What Ajv needs for the schemas that the samples use: it generates all of the code at once. */
function ajvCompileRow(samples: readonly Sample[], schemas: ReadonlyMap<string, JsonObject>): string {
  const ajv = newAjv();
  const keys = new Set(samples.map(({ key }) => key));
  const start = performance.now();
  for (const key of keys) ajv.compile(toAjv(schemas.get(key) ?? {}, false, true));
  return `Ajv compiles the ${keys.size} versions that these objects use in ${(performance.now() - start).toFixed(0)} ms`;
}

/** Runs the whole bench: this room against Ajv on the same schemas and objects. */
export function run(print: (line: string) => void): void {
  const corpus = findCorpus();
  if (corpus === undefined) {
    print('skipped: no corpus of definitions (set ILK_CORPUS)');
    return;
  }
  const definitions = objectsUnder(corpus, (path) => !/\/(samples|samples-invalid|tests)\//.test(path));
  const versions = definitions.filter(({ kind }) => kind === 'CustomResourceDefinition').flatMap(versionsOf);
  const schemas = new Map(versions.map(({ key, schema }) => [key, schema]));
  const samples = objectsUnder(corpus, (path) => path.includes('/samples/'))
    .map((object) => ({ key: `${ownString(object, 'apiVersion')} ${ownString(object, 'kind')}`, object }))
    .filter(({ key }) => schemas.has(key));
  print(compileRow(versions, samples));
  print(ajvCompileRow(samples, schemas));
  print(`${''.padEnd(52)}${'ours'.padStart(12)}${'Ajv 8'.padStart(12)}${'ratio'.padStart(10)}`);
  for (const contest of contests(samples, schemas)) print(compare(contest));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run((line) => console.log(line));
