import { invariant, type JsonObject, type JsonValue, limits, own, put, isObject } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { asBuffer, goUtf8 } from '../json/json-text.ts';
import { messages } from './kinds.ts';
import type { Field } from './message-table.ts';
import { specialTypes } from './special-types.ts';
import { WireReader, wireType } from './wire-reader.ts';

const scalarWires: ReadonlyMap<string, number> = new Map([
  ['bool', wireType.varint],
  ['int32', wireType.varint],
  ['int64', wireType.varint],
  ['double', wireType.fixed64],
]);

/**
 * Decodes a message to the JSON object that Go makes of it. Zeros are dropped for fields with `omitempty`; a message
 * on the wire is kept even if it is empty, because Go's JSON prints all structs.
 *
 * @throws {DecodeError} for invalid bytes.
 */
export function readMessage(bytes: Uint8Array, name: string, depth: number): JsonObject {
  if (depth > limits.nestingDepthMax) throw new DecodeError('proto: exceeded max depth');
  const message = messages.get(name);
  invariant(message !== undefined, `the message ${name} has a description`);
  const object: JsonObject = {};
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wire } = reader.tag();
    const field = message.byNumber.get(number);
    if (field === undefined) reader.skip(wire);
    else if (field.shape === 'list') readItems(reader, { field, wire, object, depth });
    else if (field.shape === 'map') readEntry(reader, { field, wire, object, depth });
    else readSingle(reader, { field, wire, object, depth });
  }
  return object;
}

interface Place {
  readonly field: Field;
  readonly wire: number;
  readonly object: JsonObject;
  readonly depth: number;
}

function readSingle(reader: WireReader, place: Place): void {
  const { field, object } = place;
  const value = readValue(reader, place);
  if (field.name === '') {
    Object.assign(object, value);
  } else if (field.keepsZero || !isZero(value, field)) {
    put(object, field.name, value);
  } else if (Object.hasOwn(object, field.name)) {
    // The last of a repeated field applies, and this one is zero.
    delete object[field.name];
  }
}

const scalars = new Set(['string', 'bytes', ...scalarWires.keys()]);

function isZero(value: JsonValue, { type }: Field): boolean {
  if (type === 'Time' || type === 'MicroTime') return value === null;
  return scalars.has(type) && (value === '' || value === false || value === 0);
}

function readItems(reader: WireReader, place: Place): void {
  const { field, wire, object } = place;
  const before = own(object, field.name);
  const items = Array.isArray(before) ? before : [];
  put(object, field.name, items);
  const scalarWire = scalarWires.get(field.type);
  if (scalarWire === undefined || wire !== wireType.bytes) {
    items.push(readValue(reader, place));
    return;
  }
  // Numbers may be packed: several in a single run of bytes.
  const packed = new WireReader(reader.bytes());
  while (!packed.done) items.push(readValue(packed, { ...place, wire: scalarWire }));
}

function readEntry(reader: WireReader, place: Place): void {
  const { field, object, depth } = place;
  expectWire(place, wireType.bytes);
  const entry = new WireReader(reader.bytes());
  let key = '';
  let value: JsonValue | undefined;
  while (!entry.done) {
    const { number, wire } = entry.tag();
    if (number === 1 && wire === wireType.bytes) key = goUtf8(entry.bytes());
    else if (number === 2) value = readValue(entry, { field, wire, object, depth });
    else entry.skip(wire);
  }
  const before = own(object, field.name);
  const map = isObject(before) ? before : {};
  put(map, key, value ?? zeroOf(field.type));
  put(object, field.name, map);
}

function zeroOf(type: string): JsonValue {
  return type === 'string' || type === 'bytes' ? '' : readBytes(new Uint8Array(), type, 0);
}

function readValue(reader: WireReader, place: Place): JsonValue {
  const { field, depth } = place;
  const scalarWire = scalarWires.get(field.type);
  expectWire(place, scalarWire ?? wireType.bytes);
  switch (field.type) {
    case 'bool':
      return Number(reader.varint()) !== 0;
    case 'int32':
      return reader.int32();
    case 'int64':
      return reader.int64();
    case 'double':
      return finite(reader.double());
    default:
      return readBytes(reader.bytes(), field.type, depth);
  }
}

function readBytes(bytes: Uint8Array, type: string, depth: number): JsonValue {
  if (type === 'string') return goUtf8(bytes);
  if (type === 'bytes') return asBuffer(bytes).toString('base64');
  const special = specialTypes.get(type);
  return special === undefined
    ? readMessage(bytes, type, depth + 1)
    : special.read(bytes, readMessage, depth + 1);
}

function expectWire({ field, wire }: Place, wanted: number): void {
  if (wire !== wanted) {
    throw new DecodeError(`proto: wrong wireType = ${wire} for field ${field.name || field.type}`);
  }
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new DecodeError(`json: unsupported value: ${text}`);
}
