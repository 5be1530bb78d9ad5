import { coreEventKind, eventKind } from './event.ts';
import type { BuiltInKind } from './kind.ts';
import { leaseKind } from './lease.ts';
import { namespaceKind } from './namespace.ts';

export { crdKind } from './custom-resource-definition.ts';

/** Every kind that the server brings along, in the order of discovery. A new one is a file and a line here. */
export const builtInKinds: readonly BuiltInKind[] = Object.freeze([
  namespaceKind,
  coreEventKind,
  leaseKind,
  eventKind,
]);
