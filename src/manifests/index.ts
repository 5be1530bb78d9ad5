export { type LoadedDocument, loadOpenApiDocument } from './load-openapi-document.ts';
export {
  decodeObjects,
  loadCrds,
  type LoadedObject,
  LoadError,
  loadFile,
  loadObjects,
  manifestFiles,
  standardInput,
} from './load-objects.ts';
