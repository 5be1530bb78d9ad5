// Rules as data
export type { FaultMatch, FaultRule } from './fault-rule.ts';

// Active rules
export { type AddedFault, Faults } from './faults.ts';
export { faultsEndpoint } from './faults-endpoint.ts';
