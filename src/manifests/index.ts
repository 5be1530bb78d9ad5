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
