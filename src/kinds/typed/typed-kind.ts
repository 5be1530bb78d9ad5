import { type Field, messageOf, messages } from '../../codec/index.ts';
import {
  invariant,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  put,
  type Steps,
} from '../../meta/index.ts';
import { PartedWork } from './parted-work.ts';
import { TypedRun } from './typed-run.ts';
import { typedScalars, zeroOf } from './typed-scalars.ts';

/**
 * The form of an object that upstream decodes into Go types and encodes again. Clients see it in omitted fields, in
 * zero values that were not set, and in the errors for values of the wrong type.
 */
export interface TypedKind {
  /**
   * Reads a decoded object in place: nulls and zeros go as if they had not been there, quantities and times are written
   * in one way. Fields that the kind does not have are left alone. Long lists and maps are read in steps.
   *
   * Gives the long maps that have nothing in them but scalars, at least one.
   *
   * @throws {MetadataTypeError} with Go's words for a value of the wrong type, unless it is read leniently
   */
  read(object: KubeObject, options: { readonly isLenient: boolean }): Steps<ScalarMaps>;
  /**
   * Adds in place, after the defaults, the zero values that Go encodes for unset fields: `status: {}`, `rules: null`.
   *
   * @param scalarMaps what {@link read} gave; nothing can have been taken out of them since
   */
  fill(object: KubeObject, scalarMaps: ScalarMaps): Steps<void>;
}

type ScalarMaps = ReadonlySet<JsonValue>;

/** The description of a kind by its message; undefined where there is none. */
export function typedKind(apiVersion: string, kind: string): TypedKind | undefined {
  const found = messageOf(apiVersion, kind);
  if (found === undefined || !('message' in found)) return undefined;
  const { message } = found;
  return {
    *read(object, options) {
      const run = new TypedRun(options);
      readFields(object, structOf(message), run);
      yield* run.finish();
      return run.scalarMaps;
    },
    *fill(object, scalarMaps) {
      const work = new PartedWork();
      fillFields(object, structOf(message), { scalarMaps, work });
      yield* work.finish();
    },
  };
}

/** A message as its Go struct: fields of embedded structs are among its own. */
interface Struct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, StructField>;
}

/** A field, and its name in errors: Go puts the names of the structs in front that it is embedded by, `Rule.apiGroups`. */
interface StructField {
  readonly field: Field;
  readonly path: string;
}

const structs = new Map<string, Struct>();

/** Upstream has one type where our tables have two. */
const otherNames: ReadonlyMap<string, string> = new Map([['TemplateJobSpec', 'JobSpec']]);

function structOf(message: string): Struct {
  const known = structs.get(message);
  if (known !== undefined) return known;
  const struct = { name: goName(message), fields: new Map(fieldsOf(message)) };
  structs.set(message, struct);
  return struct;
}

/** `core.v1.Container` -> `Container` */
function goName(message: string): string {
  const name = message.slice(message.lastIndexOf('.') + 1);
  return otherNames.get(name) ?? name;
}

function fieldsOf(message: string, embedding = ''): [string, StructField][] {
  const found = messages.get(message);
  invariant(found !== undefined, `the message ${message} has a description`);
  return found.fields.flatMap((field): [string, StructField][] => {
    if (field.name !== '') return [[field.name, { field, path: embedding + field.name }]];
    return fieldsOf(field.type, `${embedding}${goName(field.type)}.`);
  });
}

function readFields(object: JsonObject, struct: Struct, run: TypedRun): void {
  for (const key of Object.keys(object)) {
    const found = struct.fields.get(key);
    if (found === undefined) continue;
    const before = own(object, key) ?? null;
    run.path.push(found.path);
    const after = readField(before, { field: found.field, struct: struct.name, run });
    run.path.pop();
    if (after === undefined) delete object[key];
    else if (after !== before) put(object, key, after);
  }
  addStructs(object, struct, run);
}

/** Structs that are not pointers exist before defaulting, because they may contain defaults. */
function addStructs(object: JsonObject, struct: Struct, run: TypedRun): void {
  for (const [name, { field }] of struct.fields) {
    if (field.shape !== 'single' || !field.isAlways || Object.hasOwn(object, name) || !isMessage(field))
      continue;
    const added: JsonObject = {};
    readFields(added, structOf(field.type), run);
    put(object, name, added);
  }
}

interface Reading {
  readonly field: Field;
  readonly struct: string;
  readonly run: TypedRun;
}

function readField(value: JsonValue, reading: Reading): JsonValue | undefined {
  if (value === null) return undefined;
  const { field, struct, run } = reading;
  if (field.shape === 'single') return withoutZero(readOne(value, reading), field);
  const place = { struct, goType: collectionType(field) };
  if (field.shape === 'list') {
    if (!Array.isArray(value)) run.mismatch(value, place);
    else readItems(value, reading);
  } else if (isObject(value)) {
    readEntries(value, reading);
  } else {
    run.mismatch(value, place);
  }
  return value;
}

function readItems(list: JsonValue[], reading: Reading): void {
  reading.run.inParts(list.length, (from, to) => {
    for (let index = from; index < to; index += 1) list[index] = readItem(list[index] ?? null, reading);
  });
}

/** Maps may have tens of thousands of keys: only what is read as another value is written. */
function readEntries(map: JsonObject, reading: Reading): void {
  const keys = Object.keys(map);
  if (keys.length > manyKeys && typedScalars.has(reading.field.type)) reading.run.noteScalarMap(map);
  reading.run.inParts(keys.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      const key = keys[index] ?? '';
      const before = own(map, key) ?? null;
      const after = readItem(before, reading);
      if (after !== before) put(map, key, after);
    }
  });
}

/** Listing the keys of a larger map again would be slow. */
const manyKeys = 256;

/** A null among the items of a list, or the values of a map, is the zero of their type. */
function readItem(value: JsonValue, reading: Reading): JsonValue {
  if (value !== null) return readOne(value, reading);
  return isMessage(reading.field) ? readOne({}, reading) : zeroOf(reading.field.type);
}

function readOne(value: JsonValue, { field, struct, run }: Reading): JsonValue {
  const scalar = typedScalars.get(field.type);
  if (scalar !== undefined) return scalar(value, { struct, goType: itemType(field) }, run);
  if (!isMessage(field)) return value;
  if (isObject(value)) readFields(value, structOf(field.type), run);
  else run.mismatch(value, { struct, goType: itemType(field) });
  return value;
}

/** Types whose fields are pointers only if the table marks them. */
const plainScalars: ReadonlySet<string> = new Set(['string', 'bytes', 'bool', 'int32', 'int64', 'double']);

/** A pointer distinguishes zero from absent. */
function withoutZero(value: JsonValue, field: Field): JsonValue | undefined {
  const isPointer = !field.isAlways && (field.keepsZero || !plainScalars.has(field.type));
  if (value === null) return undefined;
  return isPointer || (value !== '' && value !== 0 && value !== false) ? value : undefined;
}

function isMessage({ type }: Field): boolean {
  return !typedScalars.has(type) && messages.has(type);
}

const goScalars: ReadonlyMap<string, string> = new Map([
  ['double', 'float64'],
  ['bytes', '[]uint8'],
  ['Quantity', 'resource.Quantity'],
  ['Time', 'v1.Time'],
  ['MicroTime', 'v1.MicroTime'],
  ['IntOrString', 'intstr.IntOrString'],
]);

/** `v1.Container`, `int32`, `v1.Protocol` */
function itemType(field: Field): string {
  if (field.named !== undefined) return field.named;
  const { type } = field;
  if (!isMessage(field)) return goScalars.get(type) ?? type;
  return `${type.startsWith('autoscaling.v2.') ? 'v2' : 'v1'}.${structOf(type).name}`;
}

/** `[]v1.Container`, `map[string]string`, `v1.ResourceList` */
function collectionType(field: Field): string {
  if (field.shape === 'list') return `[]${itemType(field)}`;
  return field.type === 'Quantity' ? 'v1.ResourceList' : `map[string]${itemType(field)}`;
}

/** What filling needs besides the value. */
interface Filling {
  readonly scalarMaps: ScalarMaps;
  readonly work: PartedWork;
}

function fillFields(object: JsonObject, struct: Struct, filling: Filling): void {
  for (const [name, { field }] of struct.fields) {
    const before = own(object, name);
    const after = fillField(before, field, filling);
    if (after === undefined) delete object[name];
    else if (after !== before) put(object, name, after);
  }
}

function fillField(value: JsonValue | undefined, field: Field, filling: Filling): JsonValue | undefined {
  const { isAlways, shape } = field;
  if (shape !== 'single') return fillItems(value, field, filling);
  if (value === undefined && field.isNullable) return null;
  if (!isMessage(field)) return value ?? (isAlways ? zeroOf(field.type) : undefined);
  if (value === null || (value === undefined && !isAlways)) return value;
  const message = value ?? {};
  if (isObject(message)) fillFields(message, structOf(field.type), filling);
  return message;
}

/** Stored objects have no empty lists or maps: they are decoded as unset. */
function fillItems(value: JsonValue | undefined, field: Field, filling: Filling): JsonValue | undefined {
  const absent = field.isAlways ? null : undefined;
  if (value === undefined || value === null || typeof value !== 'object') return value ?? absent;
  if (filling.scalarMaps.has(value)) return value;
  if (isEmpty(value)) return absent;
  if (!isMessage(field)) return value;
  const struct = structOf(field.type);
  const items = Array.isArray(value) ? value : Object.values(value);
  filling.work.inParts(items.length, (from, to) => {
    for (const item of items.slice(from, to)) if (isObject(item)) fillFields(item, struct, filling);
  });
  return value;
}

function isEmpty(collection: object): boolean {
  if (Array.isArray(collection)) return collection.length === 0;
  for (const _ in collection) return false;
  return true;
}
