import type { ViewEntry } from '../../cache/index.ts';
import {
  decodeCanonicalJson,
  decodeCanonicalJsonInSteps,
  encodeJson,
  type JsonAnatomy,
  surveyJsonInSteps,
} from '../../codec/index.ts';
import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import { normalizeInSteps } from '../../schema/index.ts';
import {
  atOnce,
  ensureMetadata,
  invariant,
  isObject,
  type KubeObject,
  metadataOf,
  own,
  type Steps,
  stringMap,
} from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import type { NoOpApply } from './no-op-apply.ts';
import { decodeStoredValue, decodeStoredValueInSteps } from './stored-value.ts';
import {
  findSplicePoint,
  type SplicePoint,
  splicedLength,
  spliceResourceVersion,
  writeSpliced,
} from './resource-version-splice.ts';
import type { StoredBytes } from './encode-stored.ts';
import { versionOf } from './stored-version.ts';

/**
 * An object in one served version, made on demand and kept beside its entry in the live view. In the common case,
 * stored by the schema of today in the version that is asked for, the stored bytes serve as they are and nothing is
 * copied.
 */
export interface Representation {
  readonly version: ResourceVersion;
  /** Canonical JSON without resourceVersion. */
  readonly bytes: Uint8Array;
  readonly splice: SplicePoint;
  /** Offsets of the large parts of the bytes, if they are the stored bytes of a recent write. */
  readonly anatomy: JsonAnatomy | undefined;
  labels: ReadonlyMap<string, string> | undefined;
  /** Applies that do not change the object, the most recent one first. */
  noOpApplies: readonly NoOpApply[] | undefined;
  readonly next: Representation | undefined;
}

/**
 * A linked list of the representations of an entry, one for each version in use; it rarely has more than one element.
 */
export type Representations = Representation;

/** The object of an entry in a version; one that a webhook converts must have been prepared. */
export function representationOf(entry: ViewEntry<Representations>, served: Represented): Representation {
  const { type, version } = served;
  const kept = keptRepresentation(entry, version);
  if (kept !== undefined) return kept;
  const record = served.resource.writeRecordOf(entry.modRevision, version);
  // An object that this process has just written in this version already has its shape.
  const bytes = record === undefined ? readBytes(entry.value, served) : entry.value;
  const made = newRepresentation(version, bytes, {
    anatomy: record?.anatomy,
    next: stillServed(entry.memo, type),
  });
  made.noOpApplies = record?.noOpApplies;
  entry.memo = made;
  return made;
}

/** Representations of versions that a CRD change has replaced are removed. */
function stillServed(form: Representation | undefined, type: ResourceType): Representation | undefined {
  if (form === undefined || type.versions.includes(form.version)) return form;
  return stillServed(form.next, type);
}

/** The form of bytes in a version; `anatomy` only where they are as they were stored. */
function newRepresentation(
  version: ResourceVersion,
  bytes: Uint8Array,
  { anatomy, next }: Pick<Representation, 'anatomy' | 'next'>,
): Representation {
  const splice = findSplicePoint(bytes, anatomy) ?? { at: bytes.length, before: '', after: '' };
  return { version, bytes, splice, anatomy, labels: undefined, noOpApplies: undefined, next };
}

/**
 * Remembers of a commit that its bytes have the shape of the version that it was made in, so that {@link representationOf} need
 * not look. Only after the commit: a dry run leaves the bytes of its revision as they are. Not for most built-in kinds,
 * for reading may complete what was stored before their shape was minded.
 */
export function noteCommitted(
  { resource, type, version }: Represented,
  revision: number,
  change?: CommittedChange,
): void {
  const { reshapes, storesComplete } = resource.converter;
  if (type.isBuiltIn && storesComplete !== true) return;
  if (version !== type.storageVersion || reshapes === true) return;
  const { anatomy, noOpApplies } = change ?? {};
  resource.recordWrite(revision, { version, anatomy, noOpApplies });
  if (change === undefined || anatomy?.isPlain !== true) return;
  const { object, replaces } = change;
  resource.recent.put(revision, object, { bytes: anatomy.root.length, replaces });
}

/**
 * As {@link noteCommitted}, of a new object. One that is stored complete is kept as it is, for those who are told of it
 * next; others are made by the thousand, and rarely looked at.
 */
export function noteCreated(
  served: Represented,
  revision: number,
  { object, value, isPlain }: Pick<StoredBytes, 'value' | 'isPlain'> & { readonly object: KubeObject },
): void {
  noteCommitted(served, revision);
  const { resource, type, version } = served;
  if (resource.converter.storesComplete !== true || version !== type.storageVersion || !isPlain) return;
  resource.recent.put(revision, object, { bytes: value.length, replaces: 0 });
}

/** A stored change of a large object. */
interface CommittedChange {
  readonly object: KubeObject;
  readonly anatomy: JsonAnatomy | undefined;
  /** The revision before. */
  readonly replaces: number;
  /** Applies that would not change the object. */
  readonly noOpApplies: readonly NoOpApply[] | undefined;
}

/**
 * The object of an entry, with its resourceVersion. Root and metadata are the caller's own; what is below may be
 * shared, and must not be changed. In steps where it is large.
 */
export function* sharedObject(entry: ViewEntry<Representations>, served: Represented): Steps<KubeObject> {
  const { modRevision } = entry;
  const { resource, version } = served;
  const isWritten = resource.writeRecordOf(modRevision, version) !== undefined;
  const recent = isWritten ? resource.recent.get(modRevision) : undefined;
  if (recent !== undefined) {
    return { ...recent, metadata: { ...metadataOf(recent), resourceVersion: String(modRevision) } };
  }
  if (isUnread(entry, served)) return yield* readAnew(entry, served);
  const form = representationOf(entry, served);
  const object = yield* representationObjectInSteps(form, modRevision);
  if (form.anatomy !== undefined) resource.fields.noteOwn(object);
  return object;
}

/** Makes and keeps the form of an entry, in steps, where nobody has. */
export function* keepForm(entry: ViewEntry<Representations>, served: Represented): Steps<void> {
  if (isUnread(entry, served)) yield* readAnew(entry, served);
}

/** The object of an entry, with its resourceVersion, as a value of the caller's own; in steps where it is large. */
export function* objectOf(entry: ViewEntry<Representations>, served: Represented): Steps<KubeObject> {
  if (isUnread(entry, served)) return yield* readAnew(entry, served);
  return yield* representationObjectInSteps(representationOf(entry, served), entry.modRevision);
}

function isUnread(entry: ViewEntry<Representations>, { resource, version }: Represented): boolean {
  const isWritten = resource.writeRecordOf(entry.modRevision, version) !== undefined;
  return !isWritten && keptRepresentation(entry, version) === undefined;
}

/** Decodes an entry on first use, and caches its representation. */
function* readAnew(entry: ViewEntry<Representations>, served: Represented): Steps<KubeObject> {
  const object = yield* decodeStoredInSteps(entry.value, served);
  yield;
  const { text } = yield* surveyJsonInSteps(object);
  yield;
  keepRepresentation(entry, sameOrCopy(Buffer.from(text), entry.value), served);
  ensureMetadata(object)['resourceVersion'] = String(entry.modRevision);
  return object;
}

function readBytes(value: Uint8Array, served: Represented): Uint8Array {
  return sameOrCopy(encodeJson(decodeStored(value, served)), value);
}

function sameOrCopy(encoded: Buffer, value: Uint8Array): Uint8Array {
  return encoded.equals(value) ? value : exactCopy(encoded);
}

/** A buffer of its own: a slice of a pool would keep the whole pool alive. */
export function exactCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The form that an entry has in a version already. */
export function keptRepresentation(
  entry: ViewEntry<Representations>,
  version: ResourceVersion,
): Representation | undefined {
  for (let form = entry.memo; form !== undefined; form = form.next) if (form.version === version) return form;
  return undefined;
}

/** Keeps the form of an object that somebody else converted, for {@link representationOf} to find. */
export function keepRepresentation(
  entry: ViewEntry<Representations>,
  bytes: Uint8Array,
  { type, version }: Pick<Represented, 'type' | 'version'>,
): void {
  if (keptRepresentation(entry, version) !== undefined) return;
  entry.memo = newRepresentation(version, bytes, { anatomy: undefined, next: stillServed(entry.memo, type) });
}

/**
 * What stored bytes mean under the schema of today, in a version: pruned, defaulted, converted. A schema change
 * therefore shows at once. Fields of metadata that cannot be are dropped, as upstream does.
 *
 * Defaults are those of the version that the object is stored in; the one that it is converted to only prunes.
 * Source: apiextensions-apiserver, crdConversionRESTOptionsGetter.
 *
 * @throws {InvariantError} where a webhook would have to be asked: see `prepareRepresentations`
 */
export function decodeStored(bytes: Uint8Array, served: Represented): KubeObject {
  return atOnce(inServedVersion(parseStored(bytes), served));
}

/** {@link decodeStored}, in steps. */
function* decodeStoredInSteps(bytes: Uint8Array, served: Represented): Steps<KubeObject> {
  const object: KubeObject = (yield* decodeStoredValueInSteps(bytes)) ?? {};
  delete ensureMetadata(object)['resourceVersion'];
  yield;
  return yield* inServedVersion(object, served);
}

function* inServedVersion(object: KubeObject, { resource, type, version }: Represented): Steps<KubeObject> {
  const home = versionOf(object, type);
  const { converter } = resource;
  invariant(home === version || converter.webhook === undefined, 'what a webhook converts is prepared');
  if (home === undefined || home === version) {
    converter.fromStored(object, version);
    yield* normalizeInSteps(version.schema(), object, { dropInvalidMetadata: true });
    return object;
  }
  home.schema().normalize(object, { dropInvalidMetadata: true });
  converter.fromStored(object, version);
  return shapeConverted(object, version);
}

/**
 * The first half of {@link decodeStored}: the object in the version that it is stored in, whatever that is, and without
 * asking anybody. An object whose version is gone comes as it is stored.
 */
export function decodeUnconverted(bytes: Uint8Array, type: ResourceType): KubeObject {
  const object = parseStored(bytes);
  versionOf(object, type)?.schema().normalize(object, { dropInvalidMetadata: true });
  return object;
}

/** The second half: an object that was just converted to a version, in the shape of its schema. In place. */
export function shapeConverted(object: KubeObject, version: ResourceVersion): KubeObject {
  version.schema().normalize(object, { applyDefaults: false });
  return object;
}

function parseStored(bytes: Uint8Array): KubeObject {
  const object: KubeObject = decodeStoredValue(bytes) ?? {};
  delete ensureMetadata(object)['resourceVersion'];
  return object;
}

/** How many bytes {@link representationBytes} are. */
export function representationLength(form: Representation, revision: number): number {
  return splicedLength(form.bytes, form.splice, revision);
}

/** Writes {@link representationBytes} into a larger buffer, and gives the offset after them. */
export function writeRepresentation(
  form: Representation,
  revision: number,
  target: Buffer,
  at: number,
): number {
  return writeSpliced(form.bytes, { point: form.splice, revision, target, at });
}

/** The object's bytes as they go out, with the resourceVersion in place. */
export function representationBytes(form: Representation, revision: number): Buffer {
  return spliceResourceVersion(form.bytes, form.splice, revision);
}

/** The object as a value of the caller's own, with its resourceVersion. */
export function representationObject(form: Representation, revision: number): KubeObject {
  const object = decodeRepresentation(form);
  ensureMetadata(object)['resourceVersion'] = String(revision);
  return object;
}

/** {@link representationObject}, in steps where it is large. */
export function* representationObjectInSteps(
  { bytes, anatomy }: Representation,
  revision: number,
): Steps<KubeObject> {
  const value = yield* decodeCanonicalJsonInSteps(bytes, { isPlain: anatomy?.isPlain === true });
  const object = isObject(value) ? value : {};
  ensureMetadata(object)['resourceVersion'] = String(revision);
  return object;
}

/** The labels, read once. */
export function representationLabels(form: Representation): ReadonlyMap<string, string> {
  form.labels ??= readLabels(form);
  return form.labels;
}

function readLabels(form: Representation): ReadonlyMap<string, string> {
  return stringMap(own(metadataOf(decodeRepresentation(form)), 'labels'));
}

function decodeRepresentation({ bytes, anatomy }: Representation): KubeObject {
  const value = decodeCanonicalJson(bytes, { isPlain: anatomy?.isPlain === true });
  return isObject(value) ? value : {};
}
