// Rules as data
export type { FaultMatch, FaultRule } from './fault-rule.ts';

// In force
export { type AddedFault, Faults } from './faults.ts';
export { faultsEndpoint } from './faults-endpoint.ts';
