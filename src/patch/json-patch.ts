import {
  atOnce,
  clone,
  equal,
  goJson,
  goJsonKind,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  own,
  ownString,
  put,
  sharedWith,
  type Steps,
} from '../meta/index.ts';
import {
  JsonPatchApplyError,
  JsonPatchFormatError,
  JsonPatchTestError,
  JsonPatchTooDeepError,
  JsonPatchTooLongError,
  JsonPatchTooMuchWorkError,
} from './json-patch-errors.ts';
import { jsonLength } from './json-length.ts';
import { isNestedDeeper } from './nesting.ts';
import { isPrefix, parseIndex, parsePointer } from './json-pointer.ts';
import { MissingPlace, missingText } from './missing-place.ts';
import { PatchList } from './patch-list.ts';

type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: readonly string[]; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: readonly string[] }
  | { readonly op: 'move' | 'copy'; readonly path: readonly string[]; readonly from: readonly string[] };

/** A parsed and checked JSON patch; it can be applied any number of times. */
interface JsonPatch {
  readonly operations: readonly Operation[];
  /** Unknown members of operations: `json patch unknown field "[0].x"`. */
  readonly strictErrors: readonly string[];
}

/**
 * Parses a JSON patch; null is one without operations. Source: RFC 6902.
 *
 * @param isStrict whether to report unknown members: upstream then decodes the patch into a typed struct
 * @throws {JsonPatchFormatError} for anything but a list of operations.
 * @throws {JsonPatchTooLongError} for more than 10,000 of them.
 */
export function parseJsonPatch(value: JsonValue, { isStrict = true } = {}): JsonPatch {
  if (value === null) return { operations: [], strictErrors: [] };
  const names = isStrict ? strictNames : plainNames;
  if (!Array.isArray(value)) {
    throw new JsonPatchFormatError(
      `json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${names.patch}`,
    );
  }
  if (value.length > limits.jsonPatchOperationsMax) {
    const max = limits.jsonPatchOperationsMax;
    throw new JsonPatchTooLongError(
      `The allowed maximum operations in a JSON patch is ${max}, got ${value.length}`,
    );
  }
  if (isStrict) for (const item of value) requireTexts(item);
  const strictErrors = value.flatMap((item, index) => unknownMembers(item, index));
  return { operations: value.map((item) => parseOperation(item, names.operation)), strictErrors };
}

/** @throws {JsonPatchFormatError} for a member of an operation that should be a string and is not */
function requireTexts(item: JsonValue): void {
  if (!isObject(item)) return;
  for (const field of ['op', 'path', 'from']) {
    const found = own(item, field) ?? null;
    if (found === null || typeof found === 'string') continue;
    throw new JsonPatchFormatError(
      `json: cannot unmarshal ${goJsonKind(found)} into Go struct field jsonPatchOp.${field} of type string`,
    );
  }
}

/** The Go types of a patch and an operation. */
const strictNames = { patch: '[]handlers.jsonPatchOp', operation: 'handlers.jsonPatchOp' } as const;
const plainNames = { patch: 'jsonpatch.Patch', operation: 'jsonpatch.Operation' } as const;

const members: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

function unknownMembers(item: JsonValue, index: number): string[] {
  if (!isObject(item)) return [];
  const unknown = Object.keys(item).filter((key) => !members.has(key));
  return unknown.map((key) => `json patch unknown field "[${index}].${key}"`);
}

function parseOperation(item: JsonValue, typeName: string): Operation {
  if (item === null) throw new JsonPatchApplyError('operation without a kind');
  if (!isObject(item)) {
    throw new JsonPatchFormatError(
      `json: cannot unmarshal ${goJsonKind(item)} into Go value of type ${typeName}`,
    );
  }
  const op = ownString(item, 'op') ?? '';
  const path = parsePointer(ownString(item, 'path'));
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return { op, path, value: own(item, 'value') ?? null };
    case 'remove':
      return { op, path };
    case 'move':
    case 'copy':
      return { op, path, from: parsePointer(ownString(item, 'from')) };
    default:
      throw new JsonPatchApplyError(`unexpected kind of operation: ${goJson(op)}`);
  }
}

/**
 * Applies a patch; the document does not change. The result shares unchanged values at the same place with it, and
 * nothing else. The output of `copy` operations is limited: a few dozen could otherwise double a document until
 * memory runs out.
 *
 * @throws {JsonPatchApplyError} for the first operation that fails.
 * @throws {JsonPatchTooDeepError} for a result that exceeds the depth limit of bodies.
 * @throws {JsonPatchTooMuchWorkError} for operations that alternately change and read a long list.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonPatch): JsonValue {
  return atOnce(applyJsonPatchInSteps(document, patch));
}

/** {@link applyJsonPatch}, in steps of some operations. */
export function* applyJsonPatchInSteps(document: JsonValue, patch: JsonPatch): Steps<JsonValue> {
  return (yield* applyCounted(document, patch)).document;
}

/** The number of operations, or of copied characters, in one step. */
const operationsInStep = 256;
const copiedInStep = 64 * 1024;

/**
 * Like {@link applyJsonPatch}; also returns the number of moved list items, the work that grows with the document's
 * lists.
 */
export function* applyCounted(
  document: JsonValue,
  patch: JsonPatch,
): Steps<{ readonly document: JsonValue; readonly itemsMoved: number }> {
  const draft = new Draft(document);
  let copiedChars = 0;
  let pausedAtChars = 0;
  for (const [index, operation] of patch.operations.entries()) {
    try {
      checkDepth(draft, operation);
      if (operation.op === 'copy') copiedChars += jsonLength(draft.peek(operation.from));
      if (copiedChars > limits.requestBodyBytesMax)
        throw new JsonPatchApplyError('copies grow without bound');
      applyOperation(draft, operation);
    } catch (error) {
      throw error instanceof MissingPlace ? new JsonPatchApplyError(missingText(operation, error)) : error;
    }
    if (index % operationsInStep !== operationsInStep - 1 && copiedChars - pausedAtChars < copiedInStep)
      continue;
    pausedAtChars = copiedChars;
    yield;
  }
  const { document: made, itemsMoved } = draft.finish();
  checkMovedDepth(made, patch);
  const staysInPlace = patch.operations.every(({ op }) => op === 'replace' || op === 'test');
  return { document: staysInPlace ? made : sharedWith(document, made), itemsMoved };
}

/** Each operation may put a value of maximum depth at the deepest place, so several could exceed any depth. */
function checkDepth(draft: Draft, operation: Operation): void {
  if (operation.op === 'add' || operation.op === 'replace') requireDepth(operation.value, operation.path);
  if (operation.op === 'copy') requireDepth(draft.peek(operation.from), operation.path);
}

/** Moves are cheap, so there may be many of a large value: the depth is checked once, at the end. */
function checkMovedDepth(document: JsonValue, { operations }: JsonPatch): void {
  if (operations.some(({ op }) => op === 'move')) requireDepth(document, []);
}

function requireDepth(value: JsonValue, path: readonly string[]): void {
  if (isNestedDeeper(value, limits.nestingDepthMax - path.length)) throw new JsonPatchTooDeepError();
}

function applyOperation(draft: Draft, operation: Operation): void {
  switch (operation.op) {
    case 'add':
      return draft.add(operation.path, clone(operation.value));
    case 'remove':
      draft.remove(operation.path);
      return;
    case 'replace':
      return draft.replace(operation.path, clone(operation.value));
    case 'move':
      if (isPrefix(operation.from, operation.path)) throw new JsonPatchApplyError('cannot move into itself');
      return draft.add(operation.path, draft.remove(operation.from));
    case 'copy':
      return draft.add(operation.path, clone(draft.peek(operation.from)));
    case 'test':
      return draft.test(operation.path, operation.value);
  }
}

function requireInside(path: readonly string[]): void {
  if (path.length === 0) throw new JsonPatchApplyError('not for the whole document');
}

/** The target of a path: the container of its last step, and that step. */
interface Place {
  readonly container: Container;
  readonly step: string;
}

type Container = JsonObject | JsonValue[];

/** Shorter lists are changed in place. */
const longListLength = 1_024;

/**
 * A document being patched, by the rules of upstream's library: only `replace` and `test` accept the whole document,
 * `replace` also adds a missing member, and `copy` of a missing member gives null. Objects and lists of the original
 * are copied on their first change.
 *
 * A long list is kept in chunks once it changes, and joined again when an operation reads a value that may contain
 * it. Until then the array is only the list's identity.
 */
class Draft {
  /** The root holds the document, so that it can be replaced like any other value. */
  readonly #root: JsonObject;
  readonly #copied = new Set<JsonValue>();
  readonly #long = new Map<JsonValue, PatchList>();
  #itemsMoved = 0;

  constructor(document: JsonValue) {
    this.#root = { document };
  }

  /** The whole document after the last operation. */
  finish(): { readonly document: JsonValue; readonly itemsMoved: number } {
    this.#joinLists();
    return { document: this.#root['document'] ?? null, itemsMoved: this.#itemsMoved };
  }

  /** The value at a place; null for a missing member. */
  peek(path: readonly string[]): JsonValue {
    requireInside(path);
    const { container, step } = this.#find(path);
    const value = this.#child(container, step);
    if (value === undefined && Array.isArray(container)) throw new MissingPlace('index', path);
    return this.#whole(value ?? null);
  }

  add(path: readonly string[], value: JsonValue): void {
    requireInside(path);
    const { container, step } = this.#open(path);
    if (!Array.isArray(container)) return put(container, step, value);
    const length = this.#lengthOf(container);
    const index = step === '-' ? length : parseIndex(step, length + 1);
    if (index === -1) throw new MissingPlace('index', path);
    const long = this.#longList(container);
    if (long === undefined) container.splice(index, 0, value);
    else long.insert(index, value);
  }

  remove(path: readonly string[]): JsonValue {
    requireInside(path);
    const { container, step } = this.#open(path);
    const value = this.#child(container, step);
    if (value === undefined) throw new MissingPlace(Array.isArray(container) ? 'index' : 'member', path);
    if (!Array.isArray(container)) delete container[step];
    else this.#removeAt(container, parseIndex(step, this.#lengthOf(container)));
    return value;
  }

  #removeAt(list: JsonValue[], index: number): void {
    const long = this.#longList(list);
    if (long === undefined) list.splice(index, 1);
    else long.remove(index);
  }

  replace(path: readonly string[], value: JsonValue): void {
    if (path.length === 0 && (typeof value !== 'object' || value === null)) {
      throw new JsonPatchApplyError('a document is an object or a list');
    }
    const { container, step } = this.#open(path);
    if (!Array.isArray(container)) return put(container, step, value);
    const index = parseIndex(step, this.#lengthOf(container));
    if (index === -1) throw new MissingPlace('index', path);
    this.#setAt(container, index, value);
  }

  #setAt(list: JsonValue[], index: number, value: JsonValue): void {
    const long = this.#long.get(list);
    if (long === undefined) list[index] = value;
    else long.set(index, value);
  }

  /** A missing value equals null, as in upstream's library. */
  test(path: readonly string[], expected: JsonValue): void {
    const { container, step } = this.#find(path);
    const value = this.#child(container, step) ?? null;
    if (!this.#mayEqual(value, expected) || !equal(this.#whole(value), expected)) {
      throw new JsonPatchTestError(`testing value /${path.join('/')} failed`);
    }
  }

  /** False for a list of another length, which then need not be joined. */
  #mayEqual(value: JsonValue, expected: JsonValue): boolean {
    return !Array.isArray(value) || (Array.isArray(expected) && this.#lengthOf(value) === expected.length);
  }

  #child(container: Container, step: string): JsonValue | undefined {
    if (!Array.isArray(container)) return own(container, step);
    const long = this.#long.get(container);
    const index = parseIndex(step, long?.length ?? container.length);
    return long === undefined ? container[index] : index === -1 ? undefined : long.at(index);
  }

  #lengthOf(list: JsonValue[]): number {
    return this.#long.get(list)?.length ?? list.length;
  }

  /** The chunks of a list that will change its length; undefined for a short list. */
  #longList(list: JsonValue[]): PatchList | undefined {
    const known = this.#long.get(list);
    if (known !== undefined || list.length < longListLength) return known;
    const made = new PatchList(list);
    this.#countMoved(list.length);
    this.#long.set(list, made);
    return made;
  }

  /** A value that will be read completely. */
  #whole(value: JsonValue): JsonValue {
    if (typeof value === 'object' && value !== null) this.#joinLists();
    return value;
  }

  #joinLists(): void {
    for (const [list, long] of this.#long) {
      if (!Array.isArray(list)) continue;
      this.#countMoved(long.length);
      const items = long.items();
      list.length = items.length;
      for (const [index, item] of items.entries()) list[index] = item;
    }
    this.#long.clear();
  }

  #countMoved(items: number): void {
    this.#itemsMoved += items;
    if (this.#itemsMoved > limits.jsonPatchItemsMax) throw new JsonPatchTooMuchWorkError();
  }

  #find(path: readonly string[]): Place {
    return this.#locate(path, (_container, _step, inner) => inner);
  }

  /** {@link #find} for a place that will change. */
  #open(path: readonly string[]): Place {
    return this.#locate(path, (container, step, inner) => {
      if (this.#copied.has(inner)) return inner;
      const copy = Array.isArray(inner) ? [...inner] : { ...inner };
      this.#copied.add(copy);
      if (!Array.isArray(container)) put(container, step, copy);
      else this.#setAt(container, parseIndex(step, this.#lengthOf(container)), copy);
      return copy;
    });
  }

  #locate(path: readonly string[], enter: Enter): Place {
    let container: Container = this.#root;
    let step = 'document';
    for (const next of path) {
      const inner = this.#child(container, step);
      if (!isObject(inner) && !Array.isArray(inner)) throw new MissingPlace('container', path);
      container = enter(container, step, inner);
      step = next;
    }
    return { container, step };
  }
}

/** The container at a step of a container. */
type Enter = (container: Container, step: string, inner: Container) => Container;
