import { fileURLToPath } from 'node:url';
import { type LoadedDocument, LoadError, loadOpenApiDocument } from '../manifests/index.ts';
import { OpenApiDocumentError } from '../server.ts';
import { asJson } from './as-json.ts';
import type { Manifest } from './read-manifests.ts';

/** The documents, each with its file; empty if it was passed as an object. @throws {LoadError} */
export function readOpenApiDocuments(documents: readonly Manifest[]): Promise<LoadedDocument[]> {
  return Promise.all(
    documents.map(async (one) => {
      if (typeof one === 'string') return loadOpenApiDocument(one);
      if (one instanceof URL) return loadOpenApiDocument(fileURLToPath(one));
      return { file: '', document: asJson(one) };
    }),
  );
}

/** Adds the file of a refused document to the error. */
export function withDocumentFile(error: unknown, documents: readonly LoadedDocument[]): unknown {
  if (!(error instanceof OpenApiDocumentError)) return error;
  const file = documents[error.index]?.file ?? '';
  return file === '' ? error : new LoadError(`${file}: ${error.message}`, { cause: error });
}
