import type { RuleEnvironments } from '../schema/index.ts';
import {
  mutatingAdmissionPolicyBindingKind,
  mutatingAdmissionPolicyKind,
} from './admissionregistration/mutating-admission-policy.ts';
import {
  validatingAdmissionPolicyBindingKind,
  validatingAdmissionPolicyKind,
} from './admissionregistration/validating-admission-policy.ts';
import { webhookConfigurationKinds } from './admissionregistration/webhook-configurations.ts';
import {
  clusterRoleBindingKind,
  clusterRoleKind,
  roleBindingKind,
  roleKindOfNamespace,
} from './rbac/access-kinds.ts';
import { apiServiceKind } from './apiregistration/api-service.ts';
import type { AddressRange } from './core/address-range.ts';
import { certificateSigningRequestKind } from './certificates/certificate-signing-request.ts';
import { configMapKind } from './core/config-map.ts';
import { controllerRevisionKind } from './apps/controller-revision.ts';
import { csiDriverKind } from './storage/csi-driver.ts';
import { csiNodeKind } from './storage/csi-node.ts';
import { csiStorageCapacityKind } from './storage/csi-storage-capacity.ts';
import { volumeAttachmentKind } from './storage/volume-attachment.ts';
import { volumeAttributesClassKind } from './storage/volume-attributes-class.ts';
import { deviceClassKind, resourceSliceKind } from './resource/device-kinds.ts';
import { resourceClaimKind, resourceClaimTemplateKind } from './resource/resource-claims.ts';
import { podTemplateKind } from './core/pod-template.ts';
import { cronJobKind } from './batch/cron-job.ts';
import { daemonSetKind } from './apps/daemon-set.ts';
import { deploymentKind } from './apps/deployment.ts';
import { endpointSliceKind } from './discovery/endpoint-slice.ts';
import { endpointsKind } from './core/endpoints.ts';
import { coreEventKind, eventKind } from './events/event.ts';
import { flowSchemaKind } from './flowcontrol/flow-schema.ts';
import { priorityLevelConfigurationKind } from './flowcontrol/priority-level-configuration.ts';
import { horizontalPodAutoscalerKind } from './autoscaling/horizontal-pod-autoscaler.ts';
import { ingressClassKind } from './networking/ingress-class.ts';
import { ingressKind } from './networking/ingress.ts';
import { jobKind } from './batch/job.ts';
import type { BuiltInKind } from './definition/kind.ts';
import { leaseKind } from './coordination/lease.ts';
import { limitRangeKind } from './core/limit-range.ts';
import { namespaceKind } from './core/namespace.ts';
import { networkPolicyKind } from './networking/network-policy.ts';
import { nodeKind } from './core/node.ts';
import { persistentVolumeClaimKind } from './core/persistent-volume-claim.ts';
import { persistentVolumeKind } from './core/persistent-volume.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget.ts';
import { podKind } from './core/pod.ts';
import { runtimeClassKind } from './node/runtime-class.ts';
import { priorityClassKind } from './scheduling/priority-class.ts';
import { replicaSetKind } from './apps/replica-set.ts';
import { replicationControllerKind } from './core/replication-controller.ts';
import { resourceQuotaKind } from './core/resource-quota.ts';
import { secretKind } from './core/secret.ts';
import { serviceAccountKind } from './core/service-account.ts';
import { serviceKind } from './core/service.ts';
import { statefulSetKind } from './apps/stateful-set.ts';
import { storageClassKind } from './storage/storage-class.ts';

export { crdKind } from './apiextensions/custom-resource-definition.ts';

/** What the kinds have otherwise from server to server. */
interface BuiltInOptions {
  /** The addresses for services, as `--service-cluster-ip-range` has them. */
  readonly serviceRange: AddressRange;
  /** What the expressions of webhooks and policies may use. */
  readonly rules: RuleEnvironments;
}

/** Every built-in kind. A new one is a file and a line here. */
export function builtInKinds({ serviceRange, rules }: BuiltInOptions): readonly BuiltInKind[] {
  return [
    ...plainKinds,
    serviceKind(serviceRange),
    ...webhookConfigurationKinds(rules),
    mutatingAdmissionPolicyKind(rules),
    mutatingAdmissionPolicyBindingKind,
    validatingAdmissionPolicyKind(rules),
    validatingAdmissionPolicyBindingKind,
  ];
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
  apiServiceKind,
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
  runtimeClassKind,
  flowSchemaKind,
  priorityLevelConfigurationKind,
  storageClassKind,
  certificateSigningRequestKind,
  controllerRevisionKind,
  podTemplateKind,
  csiDriverKind,
  csiNodeKind,
  volumeAttachmentKind,
  volumeAttributesClassKind,
  csiStorageCapacityKind,
  deviceClassKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceSliceKind,
]);
