import type { ViewEntry } from '../../cache/index.ts';
import { encodeJson } from '../../codec/index.ts';
import { clone, ensureMetadata, type KubeObject, type Steps } from '../../meta/index.ts';
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

/** An object on its way out: bytes where bytes are enough, a value where something must look inside. */
export interface ResponseObject {
  readonly revision: number;
  /** Compact JSON with the resourceVersion. */
  bytes(): Buffer;
  /** How long {@link bytes} are. */
  length(): number;
  /** Writes {@link bytes} into a larger buffer, and gives the offset after them. */
  writeTo(target: Buffer, at: number): number;
  /** The object; the caller's own to change. */
  object(): KubeObject;
  /** {@link object}, in steps where it is large. */
  objectInSteps(): Steps<KubeObject>;
  /**
   * What it is rendered from, the same for all who are shown the same bytes: what others make of them can be kept by it.
   * Undefined for what was made for one answer.
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

/** How a written object looks, as of the revision of the write; 0 for a dry run. */
export type WrittenAt = (revision: number) => ResponseObject;

/**
 * What a write answers with, made before it is committed, so that a webhook that fails then leaves nothing half done.
 * Where the object was written in the version that it is shown in, the bytes that are stored serve again; else it is
 * read back, and then has the defaults of the version that it is stored in.
 *
 * @throws {StatusError} 500 where a webhook is needed and fails
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

/** An object at hand, as of a revision; revision 0 means that it was not stored, and that it shows what was sent. */
export function renderObject(object: KubeObject, revision: number): ResponseObject {
  const metadata = ensureMetadata(object);
  if (revision > 0) metadata['resourceVersion'] = String(revision);
  return new ValueResponse(object, revision);
}

class ValueResponse implements ResponseObject {
  readonly revision: number;
  readonly source = undefined;
  readonly #object: KubeObject;
  #bytes: Buffer | undefined;

  constructor(object: KubeObject, revision: number) {
    this.#object = object;
    this.revision = revision;
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
