// Servers
export { startServer } from './start-server.ts';
export type { IlkServer, ServerSnapshot } from './ilk-server.ts';
export type { ForkOptions, InitialObjects, ServerOptions } from './server-options.ts';
export type { Manifest } from './read-manifests.ts';

// Webhooks
export type { Conversions, Convert } from './conversion-endpoint.ts';
export type { Admit, AdmissionAnswer, AdmissionFunction, AdmissionRequest } from './admission-functions.ts';

// Faults
export type { AddedFault, FaultMatch, FaultRule, Faults } from '../faults/index.ts';

// Errors
export { OptionError } from './check-options/option-error.ts';
export { LoadError } from '../manifests/index.ts';
export { StatusError } from '../meta/index.ts';
export { StoreError } from '../storage/index.ts';

// The types of the functions above, so that this index is sufficient.
export type { Authorizer } from '../auth/index.ts';
export type { Clock, Timers } from '../meta/index.ts';
export type { StorageOptions } from '../storage/index.ts';
export type { AddedUser, ListenAddress, UserAccess } from '../server.ts';
