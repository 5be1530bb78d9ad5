import type { ResourceType } from '../../crd/index.ts';
import {
  type Section,
  type SwaggerFormat,
  type SwaggerPart,
  serverPart,
  sharedPiecesPart,
  swaggerHead,
  swaggerDefinitions,
  swaggerParameters,
} from '../../discovery/index.ts';
import type { Slices, Steps } from '../../meta/index.ts';
import { contentHashInSteps } from './etag.ts';

/** An encoded document. */
export interface Document {
  readonly pieces: readonly Uint8Array[];
  readonly hash: string;
}

const nothing = new Uint8Array();

type Encoded = Readonly<Record<Section, Uint8Array>>;

/**
 * The Swagger 2.0 document in one format. A resource is encoded once per state, so that a change re-encodes only what
 * changed.
 */
export class SwaggerDocuments {
  readonly #format: SwaggerFormat;
  readonly #slices: Slices;
  readonly #encoded = new WeakMap<ResourceType, Encoded>();
  #shared: Encoded | undefined;
  #builtIn: { readonly types: readonly ResourceType[]; readonly encoded: Encoded } | undefined;
  #latest: { readonly types: readonly ResourceType[]; readonly document: Promise<Document> } | undefined;

  constructor(format: SwaggerFormat, slices: Slices) {
    this.#format = format;
    this.#slices = slices;
  }

  /** The document of these resources; the same bytes while they are unchanged. Built in time slices. */
  of(types: readonly ResourceType[]): Promise<Document> {
    if (this.#latest === undefined || !sameItems(this.#latest.types, types)) {
      this.#latest = { types, document: this.#slices.run(this.#make(types)) };
    }
    return this.#latest.document;
  }

  *#make(types: readonly ResourceType[]): Steps<Document> {
    const parts = [this.#sharedPart()];
    yield;
    parts.push(this.#pieces(types.filter(({ isBuiltIn }) => isBuiltIn)));
    for (const type of types) {
      yield;
      parts.push(this.#part(type));
    }
    yield;
    const pieces = this.#format.assemble(swaggerHead, {
      paths: parts.map(({ paths }) => paths),
      definitions: parts.map(({ definitions }) => definitions),
      parameters: parts.map(({ parameters }) => parameters),
    });
    return { pieces, hash: yield* contentHashInSteps(pieces) };
  }

  #part(type: ResourceType): Encoded {
    const known = this.#encoded.get(type) ?? {
      paths: this.#format.encodePaths(type),
      definitions: this.#format.encode('definitions', swaggerDefinitions(type)),
      parameters: nothing,
    };
    this.#encoded.set(type, known);
    return known;
  }

  /** Built-in kinds rarely change: only if a CRD replaces a kind of an OpenAPI document. */
  #pieces(types: readonly ResourceType[]): Encoded {
    if (this.#builtIn === undefined || !sameItems(this.#builtIn.types, types)) {
      this.#builtIn = { types, encoded: this.#encode(sharedPiecesPart(types), {}) };
    }
    return this.#builtIn.encoded;
  }

  #sharedPart(): Encoded {
    this.#shared ??= this.#encode(serverPart(), swaggerParameters());
    return this.#shared;
  }

  #encode({ paths, definitions }: SwaggerPart, parameters: SwaggerPart['paths']): Encoded {
    return {
      paths: this.#format.encode('paths', paths),
      definitions: this.#format.encode('definitions', definitions),
      parameters: this.#format.encode('parameters', parameters),
    };
  }
}

/** True for lists of identical items. */
export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
