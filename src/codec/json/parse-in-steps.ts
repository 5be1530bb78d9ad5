import {
  emptyDictionary,
  invariant,
  isObject,
  type JsonObject,
  type JsonValue,
  mayBeMisread,
  put,
  type Steps,
} from '../../meta/index.ts';
import { countKeys } from './count-keys.ts';
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './json-bytes.ts';

/** This many bytes take a few milliseconds to parse. */
const stepBytes = 32 * 1024;

/** JSON's white space; JavaScript's includes more. */
const blank = /^[ \t\r\n]*$/;

/** The result of {@link parseInSteps}. */
interface ParsedJson {
  readonly value: JsonValue;
  /** The number of object keys in the value; fewer than in the text if an object has duplicate keys. */
  readonly keys: number;
}

/**
 * Does the work of `JSON.parse` for a long text, in steps: long lists and objects are parsed in runs of some thousand
 * members. Undefined for text that is not JSON, or whose keys V8 may have misread. For duplicate keys, the value is one of the possible results.
 *
 * @param bytes valid UTF-8
 */
export function* parseInSteps(bytes: Buffer): Steps<ParsedJson | undefined> {
  try {
    return yield* new SteppedParser(bytes).parse();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A list or an object that is not closed yet. */
class OpenContainer {
  readonly isList: boolean;
  /** The position of its opening bracket. */
  readonly start: number;
  /** The start of the members that are not in {@link value} yet. */
  unreadFrom: number;
  /** The start of the current member: after the last comma, or after the bracket. */
  memberFrom: number;
  /** Undefined while its text is parsed together with the container around it. */
  value: JsonValue[] | JsonObject | undefined;
  /** Its key in the object around it. */
  key = '';
  /** True after a member that was parsed separately, before its comma. */
  isAfterChild = false;

  constructor(isList: boolean, start: number) {
    this.isList = isList;
    this.start = start;
    this.unreadFrom = start + 1;
    this.memberFrom = start + 1;
  }
}

class SteppedParser {
  readonly #bytes: Buffer;
  readonly #open: OpenContainer[] = [];
  #root: JsonValue | undefined;
  #keys = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  *parse(): Steps<ParsedJson> {
    const end = yield* this.#scan();
    if (this.#root === undefined) return this.#whole();
    this.#requireBlank(end, this.#bytes.length);
    return { value: this.#root, keys: this.#keys };
  }

  /** Text that is too short to be divided, or has no members. */
  #whole(): ParsedJson {
    const value = parse<JsonValue>(this.#text(0, this.#bytes.length));
    return { value, keys: countKeys(value) };
  }

  /** Returns the end of the root value. */
  *#scan(): Steps<number> {
    const bytes = this.#bytes;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) at = this.#stringEnd(at);
      else if (byte === openBrace || byte === openBracket) this.#begin(byte === openBracket, at);
      else if (byte === comma) {
        if (this.#comma(at)) yield;
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#end(byte === closeBracket, at);
        if (this.#open.length === 0) return at + 1;
      }
    }
    if (this.#open.length > 0) throw new SyntaxError('the text ends too soon');
    return bytes.length;
  }

  #stringEnd(start: number): number {
    for (let at = start + 1; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at];
      if (byte === quote) return at;
      if (byte === backslash) at += 1;
    }
    throw new SyntaxError('a string does not end');
  }

  #begin(isList: boolean, at: number): void {
    if (this.#open.length === 0) this.#requireBlank(0, at);
    this.#open.push(new OpenContainer(isList, at));
  }

  /** True if a step's worth of bytes was read. */
  #comma(at: number): boolean {
    const inner = this.#open.at(-1);
    if (inner === undefined) throw new SyntaxError('a comma outside');
    if (inner.isAfterChild) {
      this.#requireBlank(inner.unreadFrom, at);
      inner.isAfterChild = false;
      inner.unreadFrom = at + 1;
    }
    inner.memberFrom = at + 1;
    if (at - inner.unreadFrom < stepBytes) return false;
    this.#materialize();
    this.#readMembers(inner, at);
    inner.unreadFrom = at + 1;
    return true;
  }

  #end(isList: boolean, at: number): void {
    const inner = this.#open.pop();
    if (inner?.isList !== isList) throw new SyntaxError('a bracket that nothing has opened');
    if (inner.value === undefined) return;
    if (inner.isAfterChild) this.#requireBlank(inner.unreadFrom, at);
    else this.#readMembers(inner, at);
    this.#attach(inner, inner.value, at + 1);
  }

  /** Adds a closed container to the container around it. */
  #attach({ key }: OpenContainer, value: JsonValue, end: number): void {
    const outer = this.#open.at(-1);
    if (outer === undefined) {
      this.#root = value;
      return;
    }
    this.#add(outer, key, value);
    outer.unreadFrom = end;
    outer.isAfterChild = true;
  }

  /** From here on, all open containers are parsed separately. */
  #materialize(): void {
    for (const [index, container] of this.#open.entries()) {
      if (container.value !== undefined) continue;
      const outer = this.#open[index - 1];
      if (outer !== undefined) container.key = this.#readBefore(outer, container.start);
      container.value = container.isList ? [] : emptyDictionary();
    }
  }

  /** Parses the members before the member whose value starts at a position; returns that member's key. */
  #readBefore(outer: OpenContainer, start: number): string {
    if (outer.isAfterChild) throw new SyntaxError('a comma is missing');
    if (outer.memberFrom > outer.unreadFrom) this.#readMembers(outer, outer.memberFrom - 1);
    if (outer.isList) {
      this.#requireBlank(outer.memberFrom, start);
      return '';
    }
    const [key, ...more] = Object.keys(parse<JsonObject>(`{${this.#text(outer.memberFrom, start)} 0}`));
    if (key === undefined || more.length > 0) throw new SyntaxError('a value without a key');
    return key;
  }

  /** Parses members up to a comma or a bracket; there must be at least one. */
  #readMembers(container: OpenContainer, end: number): void {
    const text = this.#text(container.unreadFrom, end);
    const { value } = container;
    if (Array.isArray(value)) {
      const items = parse<JsonValue[]>(`[${text}]`);
      if (items.length === 0) throw new SyntaxError('an item is missing');
      for (const item of items) value.push(item);
      this.#keys += countKeys(items);
      return;
    }
    const members = parse<JsonObject>(`{${text}}`);
    let count = 0;
    for (const key in members) {
      count += 1;
      const member = members[key] ?? null;
      if (typeof member === 'object') this.#keys += countKeys(member);
      this.#add(container, key, member);
    }
    if (count === 0) throw new SyntaxError('a member is missing');
  }

  #add({ value }: OpenContainer, key: string, member: JsonValue): void {
    if (Array.isArray(value)) {
      value.push(member);
      return;
    }
    invariant(isObject(value), 'what is read by itself has a value');
    if (!Object.hasOwn(value, key)) this.#keys += 1;
    put(value, key, member);
  }

  #requireBlank(from: number, to: number): void {
    if (!blank.test(this.#text(from, to))) throw new SyntaxError('something stands where nothing may');
  }

  #text(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }
}

/** @throws {SyntaxError} for text that is not JSON, and where V8 may have misread a key */
function parse<T extends JsonValue>(text: string): T {
  const value: T = JSON.parse(text);
  if (mayBeMisread(text, value)) throw new SyntaxError('a key may be misread');
  return value;
}
