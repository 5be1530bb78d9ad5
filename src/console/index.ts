export type { ActivityFacts } from './activity.ts';
export { Console } from './console.ts';
export type { LoginProvider } from './login-provider.ts';
