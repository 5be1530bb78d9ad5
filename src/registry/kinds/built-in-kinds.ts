import {
  clusterRoleBindingKind,
  clusterRoleKind,
  roleBindingKind,
  roleKindOfNamespace,
} from './access-kinds.ts';
import type { AddressRange } from './address-range.ts';
import { configMapKind } from './config-map.ts';
import { cronJobKind } from './cron-job.ts';
import { daemonSetKind } from './daemon-set.ts';
import { deploymentKind } from './deployment.ts';
import { endpointSliceKind } from './endpoint-slice.ts';
import { endpointsKind } from './endpoints.ts';
import { coreEventKind, eventKind } from './event.ts';
import { horizontalPodAutoscalerKind } from './horizontal-pod-autoscaler.ts';
import { ingressClassKind } from './ingress-class.ts';
import { ingressKind } from './ingress.ts';
import { jobKind } from './job.ts';
import type { BuiltInKind } from './kind.ts';
import { leaseKind } from './lease.ts';
import { limitRangeKind } from './limit-range.ts';
import { namespaceKind } from './namespace.ts';
import { networkPolicyKind } from './network-policy.ts';
import { nodeKind } from './node.ts';
import { persistentVolumeClaimKind } from './persistent-volume-claim.ts';
import { persistentVolumeKind } from './persistent-volume.ts';
import { podDisruptionBudgetKind } from './pod-disruption-budget.ts';
import { podKind } from './pod.ts';
import { priorityClassKind } from './priority-class.ts';
import { replicaSetKind } from './replica-set.ts';
import { replicationControllerKind } from './replication-controller.ts';
import { resourceQuotaKind } from './resource-quota.ts';
import { secretKind } from './secret.ts';
import { serviceAccountKind } from './service-account.ts';
import { serviceKind } from './service.ts';
import { statefulSetKind } from './stateful-set.ts';
import { storageClassKind } from './storage-class.ts';

export { crdKind } from './custom-resource-definition.ts';

/** What the kinds have otherwise from server to server. */
export interface BuiltInOptions {
  /** The addresses for services, as `--service-cluster-ip-range` has them. */
  readonly serviceRange: AddressRange;
}

/** Every kind that the server brings along. A new one is a file and a line here. */
export function builtInKinds({ serviceRange }: BuiltInOptions): readonly BuiltInKind[] {
  return [...plainKinds, serviceKind(serviceRange)];
}

const plainKinds: readonly BuiltInKind[] = Object.freeze([
  namespaceKind,
  configMapKind,
  secretKind,
  serviceAccountKind,
  podKind,
  coreEventKind,
  endpointsKind,
  limitRangeKind,
  nodeKind,
  persistentVolumeClaimKind,
  persistentVolumeKind,
  replicationControllerKind,
  resourceQuotaKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
  daemonSetKind,
  jobKind,
  cronJobKind,
  leaseKind,
  eventKind,
  horizontalPodAutoscalerKind,
  endpointSliceKind,
  ingressClassKind,
  ingressKind,
  networkPolicyKind,
  podDisruptionBudgetKind,
  clusterRoleBindingKind,
  clusterRoleKind,
  roleBindingKind,
  roleKindOfNamespace,
  priorityClassKind,
  storageClassKind,
]);
