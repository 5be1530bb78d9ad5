import { exactText } from '../api/exact-json.ts';
import { parseYaml } from '../object/yaml-text.ts';
import type { PlaygroundCase } from './playground-case.ts';

/** Bounds that the estimate of a rule is made with, as no schema says others. */
export const assumedSize = 1_000;
const depthMax = 20;

type Inferred = { readonly [field: string]: unknown };

const anything: Inferred = { 'x-kubernetes-preserve-unknown-fields': true, nullable: true };

/** A rule alone as a case that the server takes: the types are those of the values it is tried on. */
export function caseOfRule(one: PlaygroundCase): Omit<PlaygroundCase, 'rule'> {
  const { rule, ...rest } = one;
  const values = [one.object, one.oldObject].filter((text) => text.trim() !== '').map(parsedValue);
  const self = values.map((value) => schemaOf(value, 0)).reduce(merged, none);
  const definition = {
    type: 'object',
    properties: {
      self: { ...(self === none ? { type: 'object' } : self), 'x-kubernetes-validations': [{ rule }] },
    },
  };
  return {
    ...rest,
    definition: exactText(definition),
    policies: '',
    object: asSelf(one.object),
    oldObject: asSelf(one.oldObject),
  };
}

/** How many lines stand before a value that is sent. */
export const linesBefore = 1;

/** A value as the field `self`, one line further down. */
function asSelf(text: string): string {
  if (text.trim() === '') return '';
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : `  ${line}`));
  return `self:\n${lines.join('\n')}`;
}

/** The value of a text; undefined where it is no YAML, which the server says better. */
function parsedValue(text: string): unknown {
  const document = parseYaml(text);
  return document.errors.length > 0 ? undefined : document.toJS({ mapAsMap: false });
}

const none: Inferred = {};

function schemaOf(value: unknown, depth: number): Inferred {
  if (depth > depthMax) return anything;
  switch (typeof value) {
    case 'string':
      return { type: 'string', maxLength: assumedSize };
    case 'boolean':
      return { type: 'boolean' };
    case 'bigint':
      return { type: 'integer' };
    case 'number':
      return { type: 'number' };
    default:
      return typeof value === 'object' && value !== null ? schemaOfParts(value, depth) : anything;
  }
}

function schemaOfParts(value: object, depth: number): Inferred {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => schemaOf(item, depth + 1)).reduce(merged, none);
    return { type: 'array', maxItems: assumedSize, items: items === none ? anything : items };
  }
  const properties = Object.entries(value).map(([name, part]) => [name, schemaOf(part, depth + 1)] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** What takes the values of both. */
function merged(a: Inferred, b: Inferred): Inferred {
  if (a === none || a === b) return b;
  const [one, other] = [a['type'], b['type']];
  if (one === undefined || other === undefined) return anything;
  if (one === 'object' && other === 'object') return { type: 'object', properties: mergedFields(a, b) };
  if (one === 'array' && other === 'array') {
    const items = merged(partOf(a, 'items'), partOf(b, 'items'));
    return { type: 'array', maxItems: assumedSize, items };
  }
  if (one === other) return a;
  const types = new Set([one, other]);
  if (types.has('integer') && types.has('number')) return { type: 'number' };
  if (types.has('integer') && types.has('string')) return { 'x-kubernetes-int-or-string': true };
  return anything;
}

function mergedFields(a: Inferred, b: Inferred): Inferred {
  const [own, more] = [partOf(a, 'properties'), partOf(b, 'properties')];
  const names = [...new Set([...Object.keys(own), ...Object.keys(more)])];
  return Object.fromEntries(
    names.map((name) => {
      const [one, other] = [fieldOf(own, name), fieldOf(more, name)];
      return [name, one === undefined ? other : other === undefined ? one : merged(one, other)];
    }),
  );
}

function fieldOf(fields: Inferred, name: string): Inferred | undefined {
  return Object.hasOwn(fields, name) ? partOf(fields, name) : undefined;
}

/** Schemas are made above: their parts are schemas, too. */
function partOf(schema: Inferred, name: string): Inferred {
  return (schema[name] ?? none) as Inferred;
}
