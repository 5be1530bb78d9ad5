// Servers
export {
  type Given,
  startServer,
  type TestForkOptions,
  type TestServer,
  type TestServerOptions,
  type TestSnapshot,
} from './test-server.ts';
export type { Manifest } from './read-manifests.ts';

// Webhooks
export type { Conversions, Convert } from './conversion-endpoint.ts';
export type {
  Admit,
  AdmissionAnswer,
  AdmissionFunction,
  AdmissionRequest,
} from './admission-functions.ts';

// Time
export { FakeClock } from './fake-clock.ts';

// Faults
export type { AddedFault, FaultMatch, FaultRule, Faults } from '../faults/index.ts';

// Test runners
export { type CurrentServer, forkPerTest, type TestHooks } from './fork-per-test.ts';
export { type ServerFixtures, type VitestFixtures, vitestFixtures } from './vitest-fixtures.ts';

// What the functions above take and give, so that this index is enough.
export type { Authorizer } from '../auth/index.ts';
export { LoadError } from '../manifests/index.ts';
export { StatusError } from '../meta/index.ts';
export type { AddedUser, ListenAddress, UserAccess } from '../server.ts';
