import {
  atOnce,
  goFloat,
  type JsonObject,
  type JsonValue,
  own,
  Float64,
  sortInSteps,
  type Steps,
} from '../../meta/index.ts';
import { wellFormed } from '../json/json-text.ts';
import { compareKeys } from './key-order.ts';
import { textTraits } from './text-traits.ts';
import { YamlEmitter } from './yaml-emitter.ts';
import { resolveScalar } from './yaml-scalar.ts';

const indentWidth = 2;
/** Longer keys get a `?` before them. */
const simpleKeyBytesMax = 128;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/**
 * Encodes YAML as `sigs.k8s.io/yaml` does: keys sorted, an indent of two spaces, lists at the indent of their key,
 * text with line breaks as `|` blocks, quotes where a string would be parsed as another type (including YAML 1.1
 * words), long lines folded.
 */
export function encodeYaml(value: JsonValue): Buffer {
  return atOnce(encodeYamlInSteps(value));
}

/** {@link encodeYaml}, in steps: long lists and mappings are written in runs of entries. */
export function* encodeYamlInSteps(value: JsonValue): Steps<Buffer> {
  const emitter = new YamlEmitter();
  yield* write(emitter, value, { indent: -indentWidth, inMapping: false });
  yield;
  return Buffer.from(emitter.text(), 'utf8');
}

/** The number of entries that one step writes. */
const runLength = 256;

interface Place {
  /** The column of the parent's entries. */
  readonly indent: number;
  /** True for the value of a key: a list may then start at the parent's column. */
  readonly inMapping: boolean;
}

function* write(emitter: YamlEmitter, value: JsonValue, place: Place): Steps<void> {
  if (typeof value === 'string') {
    const indent = Math.max(place.indent, 0) + indentWidth;
    writeString(emitter, wellFormed(value), { indent, isKey: false, isRoot: place.indent < 0 });
  } else if (value instanceof Float64) {
    emitter.token(numberText(value.valueOf()));
  } else if (typeof value !== 'object' || value === null) {
    emitter.token(typeof value === 'number' ? numberText(value) : String(value));
  } else if (Array.isArray(value)) {
    yield* writeList(emitter, value, place);
  } else {
    yield* writeMapping(emitter, value, place);
  }
}

function* writeList(emitter: YamlEmitter, items: JsonValue[], place: Place): Steps<void> {
  if (items.length === 0) {
    emitter.token('[]');
    return;
  }
  const indent = place.inMapping ? place.indent : place.indent + indentWidth;
  for (const [index, item] of items.entries()) {
    emitter.indent(indent);
    emitter.blockIndicator('-');
    yield* write(emitter, item, { indent, inMapping: false });
    if (index % runLength === runLength - 1) yield;
  }
}

function* writeMapping(emitter: YamlEmitter, object: JsonObject, place: Place): Steps<void> {
  const keys = Object.keys(object);
  if (keys.length === 0) {
    emitter.token('{}');
    return;
  }
  const indent = place.indent + indentWidth;
  const sorted = yield* sortInSteps(keys, compareKeys);
  for (const [index, key] of sorted.entries()) {
    emitter.indent(indent);
    const listsMayHang = writeKey(emitter, wellFormed(key), indent);
    yield* write(emitter, own(object, key) ?? null, { indent, inMapping: listsMayHang });
    if (index % runLength === runLength - 1) yield;
  }
}

function writeKey(emitter: YamlEmitter, key: string, indent: number): boolean {
  if (!textTraits(key).multiline && Buffer.byteLength(key) <= simpleKeyBytesMax) {
    writeString(emitter, key, { indent: indent + indentWidth, isKey: true });
    emitter.colon();
    return true;
  }
  emitter.blockIndicator('?');
  writeString(emitter, key, { indent: indent + indentWidth, isKey: false });
  emitter.indent(indent);
  emitter.blockIndicator(':');
  return false;
}

interface StringPlace {
  readonly indent: number;
  readonly isKey: boolean;
  readonly isRoot?: boolean;
}

function writeString(emitter: YamlEmitter, text: string, how: StringPlace): void {
  const traits = textTraits(text);
  // Parsers disagree on the reference of an explicit indent (`|2`) at the top of a document.
  const hinted = how.isRoot === true && (traits.leadingSpace || traits.leadingBreak);
  const isBlock = text.includes('\n') && traits.literalAllowed && !how.isKey && !hinted;
  // Upstream prints the key `<<` plain, and then parses it as a merge, which loses data; here it is quoted.
  const readsAsString = text !== '<<' && resolveScalar('', text).type === 'str' && !sexagesimal.test(text);
  if (isBlock) emitter.literal(text, how.indent, traits);
  else if (text.includes('\n') || !readsAsString) emitter.doubleQuoted(text, how.indent, how.isKey);
  else if (traits.plainAllowed) emitter.plain(text, how.indent, how.isKey);
  else if (traits.singleQuotedAllowed) emitter.singleQuoted(text, how.indent, how.isKey);
  else emitter.doubleQuoted(text, how.indent, how.isKey);
}

const uint64Max = 2 ** 64;
const int64Min = -(2 ** 63);

/** Integers of up to 64 bits in full, other numbers in Go's `%g`: `1e+06` would be read as a float. */
function numberText(value: number): string {
  const isInteger = Number.isInteger(value) && value >= int64Min && value < uint64Max;
  return isInteger ? String(BigInt(value)) : goFloat(value);
}
