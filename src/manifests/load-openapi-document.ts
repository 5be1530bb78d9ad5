import { readFile, stat } from 'node:fs/promises';
import { DecodeError, decodeJson } from '../codec/index.ts';
import { isObject, type JsonObject, limits } from '../meta/index.ts';
import { LoadError } from './load-error.ts';

/** An OpenAPI document and its file. */
export interface LoadedDocument {
  readonly file: string;
  readonly document: JsonObject;
}

/**
 * Reads a file with the output of `kubectl get --raw /openapi/v2`.
 *
 * @throws {LoadError} for a file that is not a JSON object or too large, and the system's error for an unreadable
 * file
 */
export async function loadOpenApiDocument(file: string): Promise<LoadedDocument> {
  const bytes = await readBounded(file);
  try {
    const { value } = decodeJson(bytes);
    if (isObject(value)) return { file, document: value };
  } catch (error) {
    throw error instanceof DecodeError ? new LoadError(`${file}: ${error.message}`) : error;
  }
  throw new LoadError(`${file}: not an object`);
}

async function readBounded(file: string): Promise<Uint8Array> {
  const { size } = await stat(file).catch(() => {
    throw new LoadError(`${file}: no such file or folder`);
  });
  const max = limits.openApiDocumentBytesMax;
  if (size <= max) return readFile(file);
  throw new LoadError(`${file}: ${size} bytes, where an OpenAPI document may have ${max}`);
}
