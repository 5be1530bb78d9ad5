export type { ActivityFacts } from './activity.ts';
export { Console } from './console.ts';
