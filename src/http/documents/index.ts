export { DiscoveryHandler } from './discovery-handler.ts';
export { OpenApiHandler } from './openapi-handler.ts';
