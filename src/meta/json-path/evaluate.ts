import { goPrint, goTypeName } from '../go/go-text.ts';
import { isObject, type JsonValue, own } from '../value/value.ts';
import { compareValues, type PathValue } from './compare.ts';
import { JsonPathError } from './json-path-error.ts';
import { FloatLiteral, type PathFilter, type PathNode, type PathNodes, type SliceBounds } from './nodes.ts';

/** The maximum number of intermediate results: repeated `..` multiplies them. */
const resultsMax = 100_000;

/** Evaluates a path step by step. A missing key gives no result; that is not an error. */
export function evaluateNodes(nodes: PathNodes, input: readonly PathValue[]): readonly PathValue[] {
  return nodes.reduce((values, node) => evaluateNode(node, values), input);
}

function evaluateNode(node: PathNode, input: readonly PathValue[]): readonly PathValue[] {
  switch (node.type) {
    case 'text':
      return [node.text];
    case 'integer':
    case 'float':
    case 'boolean':
      return input.map(() => node.value);
    case 'word':
      // `range` and `end` are handled by the template.
      if (node.word !== 'range' && node.word !== 'end') {
        throw new JsonPathError(`unrecognized identifier ${node.word}`);
      }
      return node.word === 'end' ? [] : input;
    case 'field':
      return fields(input, node.name);
    case 'wildcard':
      return gather(input, children);
    case 'recursive':
      return descendants(input);
    case 'slice':
      return gather(input, (value) => (value === null ? [] : slice(value, node.slice)));
    case 'filter':
      return gather(input, (value) => filtered(value, node.filter));
    case 'union':
      return gather(node.members, (member) => evaluateNodes(member, input));
  }
}

function fields(input: readonly PathValue[], name: string): PathValue[] {
  const found: PathValue[] = [];
  for (const value of input) {
    const field = isPlainObject(value) ? own(value, name) : undefined;
    if (field !== undefined) found.push(field);
  }
  return found;
}

/** The children of a value. As in Go, a string is a list of bytes. */
function children(value: PathValue): PathValue[] {
  if (typeof value === 'string') return [...Buffer.from(value)];
  if (Array.isArray(value)) return value;
  return isPlainObject(value) ? Object.values(value) : [];
}

/** Every value that has children, before its children. */
function descendants(input: readonly PathValue[]): PathValue[] {
  const found: PathValue[] = [];
  const visit = (value: PathValue): void => {
    // The bytes of a string have no children.
    const inside = typeof value === 'string' ? [] : children(value);
    if (inside.length > 0 || (typeof value === 'string' && value !== '')) found.push(value);
    checkCount(found.length);
    inside.forEach(visit);
  };
  input.forEach(visit);
  return found;
}

function slice(value: PathValue, bounds: SliceBounds): PathValue[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${typeText(value)} is not array or slice`);
  const { length } = value;
  const start = fromEnd(bounds.start ?? 0, length);
  const end = sliceEnd(bounds, length);
  if (start === end) return [];
  if (start >= length || start < 0) throw outOfBounds(start, length);
  if (end > length || end < 0) throw outOfBounds(end - 1, length);
  if (start > end) {
    throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  }
  const step = bounds.step ?? 1;
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

function sliceEnd(bounds: SliceBounds, length: number): number {
  const end = bounds.end ?? length;
  return end === 0 && bounds.isIndex ? length : fromEnd(end, length);
}

function fromEnd(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

function outOfBounds(index: number, length: number): JsonPathError {
  return new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function filtered(value: PathValue, filter: PathFilter): PathValue[] {
  if (!Array.isArray(value)) {
    throw new JsonPathError(`${printed(value)} is not array or slice and cannot be filtered`);
  }
  return value.filter((item) => (filter.operator === 'exists' ? exists(item, filter) : passes(item, filter)));
}

/** A path that fails half-way counts as present: upstream only checks whether there was a result. */
function exists(item: JsonValue, filter: PathFilter): boolean {
  try {
    return evaluateNodes(filter.left, [item]).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}

function passes(item: JsonValue, filter: PathFilter): boolean {
  const [left, ...moreLeft] = evaluateNodes(filter.left, [item]);
  if (left === undefined) return false;
  if (moreLeft.length > 0) throw severalAtOnce();
  const [right, ...moreRight] = evaluateNodes(filter.right, [item]);
  if (right === undefined) return false;
  if (moreRight.length > 0) throw severalAtOnce();
  return compareValues(left, filter.operator, right);
}

function severalAtOnce(): JsonPathError {
  return new JsonPathError('can only compare one element at a time');
}

function isPlainObject(value: PathValue): value is { [key: string]: JsonValue } {
  return isObject(value) && !(value instanceof FloatLiteral);
}

/** All results of all sources, up to the limit. */
function gather<T>(sources: readonly T[], find: (source: T) => readonly PathValue[]): PathValue[] {
  const found: PathValue[] = [];
  for (const source of sources) {
    for (const value of find(source)) found.push(value);
    checkCount(found.length);
  }
  return found;
}

function checkCount(results: number): void {
  if (results > resultsMax) throw new JsonPathError(`more than ${resultsMax} results`);
}

function typeText(value: PathValue): string {
  return value instanceof FloatLiteral ? 'float64' : goTypeName(value);
}

function printed(value: PathValue): string {
  return goPrint(value instanceof FloatLiteral ? value.value : value);
}
