export { DefinitionsEndpoint } from './definitions-endpoint.ts';
