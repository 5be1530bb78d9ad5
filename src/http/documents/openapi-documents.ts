import type { ResourceType } from '../../crd/index.ts';
import type { JsonObject, Slices, Steps } from '../../meta/index.ts';
import { openApiV3DocumentInSteps, serverDocuments } from '../../discovery/index.ts';
import { documentBytes, documentPieces } from './document-bytes.ts';
import { contentHash, contentHashInSteps } from './etag.ts';
import { type Document, sameItems } from './swagger-documents.ts';

/** The inputs of a document. */
interface Source {
  /** The document depends only on these. */
  readonly types: readonly ResourceType[];
  make(): Steps<JsonObject>;
}

interface Entry {
  readonly types: readonly ResourceType[];
  readonly hash: string;
  /** Cached after the document was requested; the index needs only the hash. */
  readonly pieces: readonly Uint8Array[] | undefined;
}

/** The OpenAPI v3 documents, one per group version. Each is rebuilt when one of its resources changes. */
export class OpenApiDocuments {
  readonly #slices: Slices;
  readonly #entries = new Map<string, Entry>();
  /** Documents being built. */
  readonly #making = new Map<
    string,
    { readonly types: readonly ResourceType[]; readonly document: Promise<Document> }
  >();
  #index: { readonly types: readonly ResourceType[]; readonly document: Promise<Document> } | undefined;

  constructor(slices: Slices) {
    this.#slices = slices;
  }

  /** `/openapi/v3`: the location of each document. */
  index(types: readonly ResourceType[]): Promise<Document> {
    if (this.#index === undefined || !sameItems(this.#index.types, types)) {
      this.#index = { types, document: this.#makeIndex(types) };
    }
    return this.#index.document;
  }

  /** The document of a group version, by path; undefined if there is none. */
  async of(path: string, types: readonly ResourceType[]): Promise<Document | undefined> {
    const source = sources(types).get(path);
    if (source === undefined) return undefined;
    const known = this.#current(path, source);
    if (known?.pieces !== undefined) return { pieces: known.pieces, hash: known.hash };
    const making = this.#making.get(path);
    if (making !== undefined && sameItems(making.types, source.types)) return making.document;
    return this.#make(path, source);
  }

  /** Concurrent requests wait for the same document. */
  async #make(path: string, source: Source): Promise<Document> {
    const document = this.#slices.run(entryOf(source));
    const making = { types: source.types, document };
    this.#making.set(path, making);
    try {
      this.#entries.set(path, await document);
      return await document;
    } finally {
      if (this.#making.get(path) === making) this.#making.delete(path);
    }
  }

  #current(path: string, source: Source): Entry | undefined {
    const known = this.#entries.get(path);
    return known !== undefined && sameItems(known.types, source.types) ? known : undefined;
  }

  /** Yields to other requests, because hundreds of kinds take a while. */
  async #makeIndex(types: readonly ResourceType[]): Promise<Document> {
    const documents = sources(types);
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const [path, source] of documents) {
      const known = this.#current(path, source) ?? (await this.#noted(path, source));
      paths[path] = { serverRelativeURL: documentUrl(path, known.hash) };
    }
    for (const path of this.#entries.keys()) if (!documents.has(path)) this.#entries.delete(path);
    const pieces = [documentBytes({ paths })];
    return { pieces, hash: contentHash(pieces) };
  }

  async #noted(path: string, source: Source): Promise<Entry> {
    const entry = { ...(await this.#slices.run(entryOf(source))), pieces: undefined };
    this.#entries.set(path, entry);
    return entry;
  }
}

function* entryOf({ types, make }: Source): Steps<Entry & Document> {
  const pieces = yield* documentPieces(yield* make());
  return { types, hash: yield* contentHashInSteps(pieces), pieces };
}

/** All documents: one per group version, and those of the server itself. */
function sources(types: readonly ResourceType[]): Map<string, Source> {
  const documents = new Map<string, Source>();
  for (const [path, { version, members }] of groupVersions(types)) {
    documents.set(path, { types: members, make: () => openApiV3DocumentInSteps(members, version) });
  }
  for (const [path, document] of serverDocuments())
    documents.set(path, { types: [], make: () => oneStep(document) });
  return documents;
}

/** An existing document, as a single step. */
function* oneStep<Result>(result: Result): Steps<Result> {
  yield;
  return result;
}

function groupVersions(types: readonly ResourceType[]) {
  const groups = new Map<string, { readonly version: string; readonly members: ResourceType[] }>();
  for (const type of types) {
    for (const { name, served } of type.versions) {
      if (!served) continue;
      const path = type.group === '' ? `api/${name}` : `apis/${type.group}/${name}`;
      const group = groups.get(path) ?? { version: name, members: [] };
      group.members.push(type);
      groups.set(path, group);
    }
  }
  return groups;
}

/** The URL of a document with this hash. */
export function documentUrl(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}
