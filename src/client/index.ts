export { type Answer, ApiClient, type Fetch, pathOf, type ServedKind } from './api-client.ts';
