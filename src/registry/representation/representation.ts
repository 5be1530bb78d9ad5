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
 * An object in one served version, made on demand and cached with its entry in the live view. Usually the object is
 * stored in that version and matches the current schema; then the stored bytes are used without a copy.
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

/** The object of an entry in a version; a conversion by webhook must have been prepared. */
export function representationOf(entry: ViewEntry<Representations>, served: Represented): Representation {
  const { type, version } = served;
  const kept = keptRepresentation(entry, version);
  if (kept !== undefined) return kept;
  const record = served.resource.writeRecordOf(entry.modRevision, version);
  // An object that this process just wrote in this version is already normalized.
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

/** The representation of bytes in a version; `anatomy` only for the stored bytes themselves. */
function newRepresentation(
  version: ResourceVersion,
  bytes: Uint8Array,
  { anatomy, next }: Pick<Representation, 'anatomy' | 'next'>,
): Representation {
  const splice = findSplicePoint(bytes, anatomy) ?? { at: bytes.length, before: '', after: '' };
  return { version, bytes, splice, anatomy, labels: undefined, noOpApplies: undefined, next };
}

/**
 * Records that the committed bytes are normalized for the version of the request, so that {@link representationOf}
 * need not normalize them. Only after the commit: a dry run does not change the bytes of its revision. Not for most
 * built-in kinds, because reading may complete objects that were stored before their schema applied.
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
 * Like {@link noteCommitted}, for a new object. An object stored completely is cached, because watchers read it next;
 * others are created in thousands and rarely read.
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
  /** The previous revision. */
  readonly replaces: number;
  /** Applies that would not change the object. */
  readonly noOpApplies: readonly NoOpApply[] | undefined;
}

/**
 * The object of an entry, with its resourceVersion; in steps if it is large. The caller owns root and metadata; the
 * rest may be shared and must not be changed.
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

/** Makes and caches the representation of an entry, in steps, if there is none. */
export function* keepForm(entry: ViewEntry<Representations>, served: Represented): Steps<void> {
  if (isUnread(entry, served)) yield* readAnew(entry, served);
}

/** The object of an entry, with its resourceVersion, as a copy; in steps if it is large. */
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

/** A separate buffer: a slice would keep the whole pool in memory. */
export function exactCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The cached representation of an entry in a version. */
export function keptRepresentation(
  entry: ViewEntry<Representations>,
  version: ResourceVersion,
): Representation | undefined {
  for (let form = entry.memo; form !== undefined; form = form.next) if (form.version === version) return form;
  return undefined;
}

/** Caches the representation of a converted object, for {@link representationOf}. */
export function keepRepresentation(
  entry: ViewEntry<Representations>,
  bytes: Uint8Array,
  { type, version }: Pick<Represented, 'type' | 'version'>,
): void {
  if (keptRepresentation(entry, version) !== undefined) return;
  entry.memo = newRepresentation(version, bytes, { anatomy: undefined, next: stillServed(entry.memo, type) });
}

/**
 * Decodes stored bytes under the current schema, in a version: pruned, defaulted, converted. A schema change
 * therefore takes effect at once. Invalid metadata fields are dropped, as upstream does.
 *
 * Defaults are those of the stored version; the target version of a conversion only prunes. Source:
 * apiextensions-apiserver, crdConversionRESTOptionsGetter.
 *
 * @throws {InvariantError} if a webhook would have to be called: see `prepareRepresentations`
 */
export function decodeStored(bytes: Uint8Array, served: Represented): KubeObject {
  return atOnce(inServedVersion(parseStored(bytes), served));
}

/** {@link decodeStored}, as steps. */
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
 * The first half of {@link decodeStored}: the object in its stored version, without conversion. An object whose
 * version no longer exists is returned unchanged.
 */
export function decodeUnconverted(bytes: Uint8Array, type: ResourceType): KubeObject {
  const object = parseStored(bytes);
  versionOf(object, type)?.schema().normalize(object, { dropInvalidMetadata: true });
  return object;
}

/** The second half: normalizes a converted object to the schema of its version, in place. */
export function shapeConverted(object: KubeObject, version: ResourceVersion): KubeObject {
  version.schema().normalize(object, { applyDefaults: false });
  return object;
}

function parseStored(bytes: Uint8Array): KubeObject {
  const object: KubeObject = decodeStoredValue(bytes) ?? {};
  delete ensureMetadata(object)['resourceVersion'];
  return object;
}

/** The size of {@link representationBytes}. */
export function representationLength(form: Representation, revision: number): number {
  return splicedLength(form.bytes, form.splice, revision);
}

/** Writes {@link representationBytes} into a larger buffer, and returns the offset after them. */
export function writeRepresentation(
  form: Representation,
  revision: number,
  target: Buffer,
  at: number,
): number {
  return writeSpliced(form.bytes, { point: form.splice, revision, target, at });
}

/** The object's bytes for a response, with the resourceVersion inserted. */
export function representationBytes(form: Representation, revision: number): Buffer {
  return spliceResourceVersion(form.bytes, form.splice, revision);
}

/** A copy of the object, with its resourceVersion. */
export function representationObject(form: Representation, revision: number): KubeObject {
  const object = decodeRepresentation(form);
  ensureMetadata(object)['resourceVersion'] = String(revision);
  return object;
}

/** {@link representationObject}, as steps if it is large. */
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
