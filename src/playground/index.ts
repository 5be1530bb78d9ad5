export { playgroundEndpoint } from './playground-endpoint.ts';
