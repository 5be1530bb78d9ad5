import { configMapKind } from './config-map.ts';
import { daemonSetKind } from './daemon-set.ts';
import { deploymentKind } from './deployment.ts';
import { coreEventKind, eventKind } from './event.ts';
import { jobKind } from './job.ts';
import type { BuiltInKind } from './kind.ts';
import { leaseKind } from './lease.ts';
import { namespaceKind } from './namespace.ts';
import { podKind } from './pod.ts';
import { replicaSetKind } from './replica-set.ts';
import { secretKind } from './secret.ts';
import { serviceAccountKind } from './service-account.ts';
import { serviceKind } from './service.ts';
import { statefulSetKind } from './stateful-set.ts';

export { crdKind } from './custom-resource-definition.ts';

/** Every kind that the server brings along, in the order of discovery. A new one is a file and a line here. */
export const builtInKinds: readonly BuiltInKind[] = Object.freeze([
  namespaceKind,
  configMapKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
  podKind,
  coreEventKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
  daemonSetKind,
  jobKind,
  leaseKind,
  eventKind,
]);
