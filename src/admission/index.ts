export type { AdmissionAttributes, Operation } from './attributes.ts';
export { AdmissionChain, type AdmissionPlugin } from './chain.ts';
export { namespaceLifecycle } from './namespace-lifecycle.ts';
