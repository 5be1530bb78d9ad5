// Servers, as the package's main entry has them
export * from '../library/index.ts';

// Time
export { FakeClock } from './fake-clock.ts';

// Test runners
export { type CurrentServer, forkPerTest, type TestHooks } from './fork-per-test.ts';
export { type ServerFixtures, type VitestFixtures, vitestFixtures } from './vitest-fixtures.ts';
