export { LoadError } from './load-error.ts';
export { type LoadedDocument, loadOpenApiDocument } from './load-openapi-document.ts';
export { loadCrds, type LoadedObject, loadFile, loadObjects } from './load-objects.ts';
export { ofFlag } from './of-flag.ts';
export { removedVersionHint } from './removed-version.ts';
export { openSource } from './sources/index.ts';
export type { SourceFile } from './sources/source.ts';
export { standardInput } from './sources/standard-input.ts';
