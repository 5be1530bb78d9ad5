import type { ResourceType } from '../../crd/index.ts';
import type { JsonValue, KubeObject, Steps } from '../../meta/index.ts';
import {
  bytesOf,
  type DecodedObject,
  decodeObject,
  decodeOptions,
  type ExpectedKind,
  type RequestBody,
} from '../request/body.ts';
import { decodedAhead } from '../request/decode-ahead.ts';
import { type AcceptOptions, acceptObject } from './accept.ts';
import { inSlices, type RegistryParts } from './registry-parts.ts';

/** Decodes the bodies of requests that store no object; a large body delays no other request. */
export class RequestBodies {
  readonly #parts: RegistryParts;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** See {@link decodeObject}. @throws {StatusError} 400 */
  object(body: RequestBody, expected: ExpectedKind): Promise<DecodedObject> {
    return this.#read(body, (decoded) => decodeObject(decoded, expected));
  }

  /** The options of a DELETE. @throws {StatusError} 400 */
  options(body: RequestBody): Promise<JsonValue> {
    return this.#read(body, decodeOptions);
  }

  /** See {@link acceptObject}. @throws {StatusError} 400, 500 */
  accepted(type: ResourceType, body: RequestBody, options: AcceptOptions): Promise<KubeObject> {
    const target = { type, version: type.storageVersion };
    return this.#read(body, (decoded) => acceptObject(target, decoded, options));
  }

  async #read<Result>(body: RequestBody, read: (body: RequestBody) => Steps<Result>): Promise<Result> {
    return inSlices(this.#parts, bytesOf(body), read(await decodedAhead(this.#parts, body)));
  }
}
