import type { ViewEntry } from '../../cache/index.ts';
import { encodeJson, surveyJsonInSteps } from '../../codec/index.ts';
import { clone, ensureMetadata, type KubeObject, type RunSteps, type Steps } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { findSplicePoint } from './resource-version-splice.ts';
import {
  decodeStored,
  decodeUnconverted,
  type Representation,
  type Representations,
  representationBytes,
  representationLength,
  representationObject,
  representationObjectInSteps,
  representationOf,
  shapeConverted,
  writeRepresentation,
} from './representation.ts';
import type { StoredBytes } from './encode-stored.ts';
import type { WebhookConverter } from './webhook-converter.ts';

/** An object for a response: bytes if they suffice, a value if its content is needed. */
export interface ResponseObject {
  readonly revision: number;
  /** Compact JSON with the resourceVersion. */
  bytes(): Buffer;
  /** The size of {@link bytes}. */
  length(): number;
  /** Writes {@link bytes} into a larger buffer, and returns the offset after them. */
  writeTo(target: Buffer, at: number): number;
  /** The object; owned by the caller. */
  object(): KubeObject;
  /** {@link object}, in steps if it is large. */
  objectInSteps(): Steps<KubeObject>;
  /**
   * Identifies the rendered content, the same for all responses with the same bytes: a cache key for derived data.
   * Undefined for an object that is rendered for one response.
   */
  readonly source: object | undefined;
}

/** The object of an entry of the live view. The revision differs from the entry's in DELETED events. */
export function renderEntry(
  entry: ViewEntry<Representations>,
  served: Represented,
  revision = entry.modRevision,
): ResponseObject {
  const form = representationOf(entry, served);
  return new EntryResponse(form, revision, revision === entry.modRevision ? form : undefined);
}

class EntryResponse implements ResponseObject {
  readonly revision: number;
  readonly source: object | undefined;
  readonly #form: Representation;

  constructor(form: Representation, revision: number, source?: object) {
    this.#form = form;
    this.revision = revision;
    this.source = source;
  }

  bytes(): Buffer {
    return representationBytes(this.#form, this.revision);
  }

  length(): number {
    return representationLength(this.#form, this.revision);
  }

  writeTo(target: Buffer, at: number): number {
    return writeRepresentation(this.#form, this.revision, target, at);
  }

  object(): KubeObject {
    return representationObject(this.#form, this.revision);
  }

  objectInSteps(): Steps<KubeObject> {
    return representationObjectInSteps(this.#form, this.revision);
  }
}

/** The response of a write, at the write's revision; 0 for a dry run. */
export type WrittenAt = (revision: number) => ResponseObject;

/**
 * The response of a write, made before the commit, so that a failing webhook leaves nothing half done. If the object
 * is returned in the version in which it was written, the stored bytes are used; otherwise it is decoded from them,
 * and has the defaults of the stored version.
 *
 * @throws {StatusError} 500 if a webhook is needed and fails
 */
export function renderWritten(
  object: KubeObject,
  stored: StoredBytes,
  served: Represented,
): WrittenAt | Promise<WrittenAt> {
  const { version, type, resource } = served;
  if (version === type.storageVersion)
    return (revision) => renderStored(object, revision, { stored, served });
  const { webhook } = resource.converter;
  if (webhook !== undefined) return renderConverted(stored, served, webhook);
  return (revision) => renderObject(decodeStored(stored.value, served), revision);
}

async function renderConverted(
  { value }: StoredBytes,
  { type, version }: Represented,
  webhook: WebhookConverter,
): Promise<WrittenAt> {
  const read = decodeUnconverted(value, type);
  const [converted = read] = await webhook.convert([read], version);
  const shown = shapeConverted(converted, version);
  return (revision) => renderObject(shown, revision);
}

function renderStored(
  object: KubeObject,
  revision: number,
  { stored: { value, anatomy }, served }: { readonly stored: StoredBytes; readonly served: Represented },
): ResponseObject {
  const shown = revision > 0 && served.resource.converter.reshapes !== true;
  const splice = shown ? findSplicePoint(value, anatomy) : undefined;
  if (splice === undefined) return renderObject(object, revision);
  const unread = { labels: undefined, noOpApplies: undefined, next: undefined };
  return new EntryResponse({ version: served.version, bytes: value, splice, anatomy, ...unread }, revision);
}

/** An object in memory, at a revision; revision 0 means that it was not stored, and shows what was sent. */
export function renderObject(object: KubeObject, revision: number): ResponseObject {
  const metadata = ensureMetadata(object);
  if (revision > 0) metadata['resourceVersion'] = String(revision);
  return new ValueResponse(object, revision);
}

/** A large object that was not stored, as it was sent; it is encoded in steps. */
export async function renderUnstored(object: KubeObject, run: RunSteps): Promise<ResponseObject> {
  ensureMetadata(object);
  const { text } = await run(surveyJsonInSteps(object));
  return new ValueResponse(object, 0, Buffer.from(text));
}

class ValueResponse implements ResponseObject {
  readonly revision: number;
  readonly source = undefined;
  readonly #object: KubeObject;
  #bytes: Buffer | undefined;

  constructor(object: KubeObject, revision: number, bytes?: Buffer) {
    this.#object = object;
    this.revision = revision;
    this.#bytes = bytes;
  }

  bytes(): Buffer {
    this.#bytes ??= encodeJson(this.#object);
    return this.#bytes;
  }

  length(): number {
    return this.bytes().length;
  }

  writeTo(target: Buffer, at: number): number {
    target.set(this.bytes(), at);
    return at + this.bytes().length;
  }

  object(): KubeObject {
    return clone(this.#object);
  }

  *objectInSteps(): Steps<KubeObject> {
    yield;
    return this.object();
  }
}
