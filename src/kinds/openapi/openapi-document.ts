import { isObject, type JsonObject, type JsonValue, own, ownObject } from '../../meta/index.ts';

/** An invalid OpenAPI document; the message contains the error and its place. */
export class OpenApiDocumentError extends Error {
  override readonly name = 'OpenApiDocumentError';
  /** Which of several documents it is, from 0. */
  readonly index: number;

  constructor(message: string, index = 0) {
    super(message);
    this.index = index;
  }
}

/** What is read of an OpenAPI document. */
export interface OpenApiDocument {
  readonly paths: JsonObject;
  /** The schemas by their names. */
  readonly definitions: JsonObject;
  /** The path of the schemas, for messages: `definitions`. */
  readonly definitionsPlace: string;
  /** The prefix of a `$ref` to one of them: `#/definitions/`. */
  readonly refPrefix: string;
}

const source = '"kubectl get --raw /openapi/v2" prints such a document';

/**
 * Takes a document apart: Swagger 2.0, or one of the documents of OpenAPI 3.
 *
 * @throws {OpenApiDocumentError} for what is neither
 */
export function readOpenApiDocument(value: JsonValue): OpenApiDocument {
  if (!isObject(value)) throw new OpenApiDocumentError(`it is no JSON object; ${source}`);
  const { definitionsPlace, definitions } = schemasOf(value);
  const paths = ownObject(value, 'paths');
  if (paths === undefined) throw new OpenApiDocumentError(`it has no "paths"; ${source}`);
  const refPrefix = `#/${definitionsPlace.replace('.', '/')}/`;
  return Object.freeze({ paths, definitions: definitions ?? {}, definitionsPlace, refPrefix });
}

function schemasOf(document: JsonObject) {
  const [swagger, openapi] = [own(document, 'swagger'), own(document, 'openapi')];
  if (swagger === '2.0') {
    return { definitionsPlace: 'definitions', definitions: ownObject(document, 'definitions') };
  }
  if (typeof openapi === 'string' && openapi.startsWith('3.')) {
    const components = ownObject(document, 'components') ?? {};
    return { definitionsPlace: 'components.schemas', definitions: ownObject(components, 'schemas') };
  }
  const said = [swagger, openapi].find((value) => value !== undefined);
  const instead = said === undefined ? '' : ` but ${JSON.stringify(said)}`;
  throw new OpenApiDocumentError(
    `it says neither "swagger": "2.0" nor "openapi": "3.0.0"${instead}; ${source}`,
  );
}
