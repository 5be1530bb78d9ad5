export { loadCrds, type LoadedObject, LoadError, loadObjects } from './load-objects.ts';
