export type { ActivityFacts } from './activity.ts';
export { Console } from './console.ts';
export type { ConsoleMemory } from './console-memory.ts';
export type { LoginProvider } from './login-provider.ts';
export type { RecentTextList } from './recent-texts.ts';
