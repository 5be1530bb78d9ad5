import {
  compareBytes,
  goJson,
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
} from '../../meta/index.ts';
import { parseExactJson } from './exact-json.ts';
import { compareValues } from './value-order.ts';

/**
 * One step of a path, in FieldsV1 notation, which is also its identity: `f:replicas` a field, `k:{"name":"a"}` the
 * list item with that key, `v:"x"` an item of a set, `i:3` an index. Two steps are equal exactly if their texts are
 * equal: the constructors below write only the canonical form.
 */
export type PathElement = string;

/** The steps from the object's root to a field. */
export type Path = readonly PathElement[];

/** An invalid FieldsV1 document, or an invalid key in one. */
export class FieldsFormatError extends Error {
  override readonly name = 'FieldsFormatError';
}

/** The step into a map or an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** A path that consists of fields: `fieldPathOf('spec', 'replicas')`. */
export function fieldPathOf(...names: string[]): Path {
  return names.map(fieldElement);
}

/** The step into an item of a keyed list; the key names are in bytewise order. */
export function keyElement(fields: readonly (readonly [name: string, value: JsonValue])[]): PathElement {
  const sorted = fields.length < 2 ? fields : [...fields].sort((a, b) => compareBytes(a[0], b[0]));
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',')}}`;
}

/** The step into an item of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${goJson(value)}`;
}

/** The step into an item of a list without keys and without set semantics. */
export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** The name in a field step; undefined for other kinds of steps. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** True for the step into an item of a keyed list. */
export function isKeyElement(element: PathElement): boolean {
  return element.startsWith('k:');
}

/** The names and values of a key step, in order. */
function keyFieldsOf(element: PathElement): [name: string, value: JsonValue][] {
  return keyBody(element.slice(2));
}

/**
 * Decodes a FieldsV1 key into the canonical form. Undefined for a kind of step that this version does not know.
 *
 * @throws {FieldsFormatError} for a key that is too short or has no colon, or whose body does not parse.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldsFormatError('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldsFormatError(`missing colon: ${text}`);
  const body = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return canonicalValue.test(body) ? text : valueElement(parseBody(body));
    case 'k':
      return keyElement(keyBody(body));
    case 'i':
      if (!/^[+-]?\d+$/.test(body)) throw new FieldsFormatError(`invalid index: ${goQuote(body)}`);
      return indexElement(Number(body));
    default:
      return undefined;
  }
}

/** Values that are written in their canonical form already: short integers, and strings without any escape. */
const canonicalValue = /^(?:0|-?[1-9][0-9]{0,14}|"[ !#-%'-;=?-[\]-~]*")$/;

function keyBody(body: string): [string, JsonValue][] {
  const value = parseBody(body);
  if (!isObject(value)) throw new FieldsFormatError(`key must be an object: ${goQuote(body)}`);
  return Object.keys(value).map((name) => [name, own(value, name) ?? null]);
}

function parseBody(body: string): JsonValue {
  try {
    return parseExactJson(body);
  } catch {
    throw new FieldsFormatError(`invalid JSON in path element: ${goQuote(body)}`);
  }
}

/** The step as conflict and error messages print it: `.replicas`, `[name="a",port=80]`, `[="x"]`, `[3]`. */
export function elementText(element: PathElement): string {
  const body = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${body}`;
    case 'k':
      return `[${keyFieldsOf(element)
        .map(([name, value]) => `${name}=${displayText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${displayText(parseBody(body))}]`;
    default:
      return `[${body}]`;
  }
}

/** The path as conflict and error messages print it: the steps concatenated; empty for the root. */
export function pathDisplay(path: Path): string {
  return path.map(elementText).join('');
}

function displayText(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(displayText).join(',')}]`;
  if (isObject(value)) return mapText(value);
  return goJson(value);
}

function mapText(map: JsonObject): string {
  const keys = Object.keys(map).sort(compareBytes);
  return keys.map((key) => `${key}=${displayText(own(map, key) ?? null)}`).join('');
}

const kindOrder = 'fkvi';

/** A step with its parsed sort key. */
interface OrderedElement {
  readonly element: PathElement;
  readonly kind: number;
  readonly key: readonly [string, JsonValue][];
  readonly value: JsonValue;
}

/** Orders steps as upstream does: fields, keys, values, indexes; within a kind by content, not by text. */
export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  return [...elements]
    .map(orderedElement)
    .sort(compareOrdered)
    .map(({ element }) => element);
}

function orderedElement(element: PathElement): OrderedElement {
  const kind = kindOrder.indexOf(element[0] ?? '');
  const body = element.slice(2);
  if (kind === 1) return { element, kind, key: keyBody(body), value: null };
  if (kind === 2) return { element, kind, key: [], value: parseBody(body) };
  return { element, kind, key: [], value: kind === 3 ? Number(body) : body };
}

function compareOrdered(a: OrderedElement, b: OrderedElement): number {
  return a.kind - b.kind || compareKeys(a.key, b.key) || compareValues(a.value, b.value);
}

function compareKeys(a: readonly [string, JsonValue][], b: readonly [string, JsonValue][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareBytes(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
