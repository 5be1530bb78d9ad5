import { type FieldNotes, messageSchemas } from '../../codec/index.ts';
import type { JsonObject, JsonValue } from '../../meta/index.ts';

/**
 * How the lists of built-in kinds merge, as `Message.field key key`; without keys the list is a set. The first key is
 * also the one that strategic merge patch goes by.
 * Source: the markers listType and listMapKey, and the tags patchMergeKey, of k8s.io/api.
 */
const mergingLists = `
Container.env name
Container.ports containerPort protocol
Container.volumeDevices devicePath
Container.volumeMounts mountPath
ContainerRestartRuleOnExitCodes.values
ContainerStatus.allocatedResourcesStatus name
ContainerStatus.volumeMounts mountPath
EphemeralContainerCommon.env name
EphemeralContainerCommon.ports containerPort protocol
EphemeralContainerCommon.volumeDevices devicePath
EphemeralContainerCommon.volumeMounts mountPath
NodeAllocatableResourceClaimStatus.containers
NodeAllocatableResourceClaimStatus.mapping name
NodeAllocatableResourceClaimStatus.overhead name
NodePodPreemptionPolicy.disableResizePreemption
NodeSpec.podCIDRs
NodeStatus.addresses type
NodeStatus.conditions type
ObjectMeta.finalizers
ObjectMeta.ownerReferences uid
PersistentVolumeClaimStatus.conditions type
PodSpec.containers name
PodSpec.ephemeralContainers name
PodSpec.evictionResponders name
PodSpec.hostAliases ip
PodSpec.imagePullSecrets name
PodSpec.initContainers name
PodSpec.resourceClaims name
PodSpec.schedulingGates name
PodSpec.topologySpreadConstraints topologyKey whenUnsatisfiable
PodSpec.volumes name
PodStatus.conditions type
PodStatus.nodeAllocatableResourceClaimStatuses resourceClaimName
PodStatus.podIPs ip
PodStatus.resourceClaimStatuses name
PodStatus.volumeHealth name
PodVolumeHealth.healthConditions status reason
ReplicationControllerStatus.conditions type
ResourceRequirements.claims name
ResourceStatus.resources resourceID
ServiceAccount.secrets name
ServiceSpec.ports port protocol
ServiceStatus.conditions type
VolumeHealthStatus.healthConditions status reason
VolumeMount.bindMountOptions
admissionregistration.MutatingAdmissionPolicySpec.matchConditions name
admissionregistration.MutatingWebhook.matchConditions name
admissionregistration.MutatingWebhookConfiguration.webhooks name
admissionregistration.ValidatingAdmissionPolicyBindingSpec.validationActions
admissionregistration.ValidatingAdmissionPolicySpec.matchConditions name
admissionregistration.ValidatingAdmissionPolicySpec.variables name
admissionregistration.ValidatingAdmissionPolicyStatus.conditions type
admissionregistration.ValidatingWebhook.matchConditions name
admissionregistration.ValidatingWebhookConfiguration.webhooks name
apps.DaemonSetStatus.conditions type
apps.DeploymentStatus.conditions type
apps.ReplicaSetStatus.conditions type
apps.StatefulSetStatus.conditions type
apiregistration.APIServiceStatus.conditions type
autoscaling.v2.HorizontalPodAutoscalerStatus.conditions type
batch.JobSchedulingConfiguration.resourceClaims name
batch.PodFailurePolicyOnExitCodesRequirement.values
batch.UncountedTerminatedPods.failed
batch.UncountedTerminatedPods.succeeded
certificates.CertificateSigningRequestStatus.conditions type
discovery.Endpoint.addresses
flowcontrol.FlowSchemaStatus.conditions type
flowcontrol.NonResourcePolicyRule.nonResourceURLs
flowcontrol.NonResourcePolicyRule.verbs
flowcontrol.PriorityLevelConfigurationStatus.conditions type
flowcontrol.ResourcePolicyRule.apiGroups
flowcontrol.ResourcePolicyRule.namespaces
flowcontrol.ResourcePolicyRule.resources
flowcontrol.ResourcePolicyRule.verbs
policy.PodDisruptionBudgetStatus.conditions type
resource.AllocatedDeviceStatus.conditions type
resource.DeviceRequestAllocationResult.skipNodeOperations
resource.ResourceClaimStatus.devices driver device pool shareID
resource.ResourceClaimStatus.reservedFor uid
resource.ResourceSliceSpec.skipNodeOperations
storage.CSIDriverSpec.volumeLifecycleModes
storage.CSINodeSpec.drivers name
storage.CSINodeStatus.storageHealth name
`;

/** Lists of those above that merge in server-side apply alone: their Go fields have no patchStrategy. */
const appliedOnly: ReadonlySet<string> = new Set([
  'ContainerRestartRuleOnExitCodes.values',
  'ResourceRequirements.claims',
  'ResourceStatus.resources',
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec.validationActions',
  'admissionregistration.ValidatingAdmissionPolicyStatus.conditions',
  'batch.PodFailurePolicyOnExitCodesRequirement.values',
  'batch.UncountedTerminatedPods.failed',
  'batch.UncountedTerminatedPods.succeeded',
  'certificates.CertificateSigningRequestStatus.conditions',
  'discovery.Endpoint.addresses',
  'flowcontrol.NonResourcePolicyRule.nonResourceURLs',
  'flowcontrol.NonResourcePolicyRule.verbs',
  'flowcontrol.ResourcePolicyRule.apiGroups',
  'flowcontrol.ResourcePolicyRule.namespaces',
  'flowcontrol.ResourcePolicyRule.resources',
  'flowcontrol.ResourcePolicyRule.verbs',
  'resource.AllocatedDeviceStatus.conditions',
  'resource.DeviceRequestAllocationResult.skipNodeOperations',
  'resource.ResourceClaimStatus.devices',
  'resource.ResourceSliceSpec.skipNodeOperations',
  'storage.CSIDriverSpec.volumeLifecycleModes',
]);

/** Lists that merge in strategic merge patch alone, and are one field in server-side apply. */
const patchedOnly = `
PodStatus.hostIPs ip
batch.JobStatus.conditions type
`;

/** Messages and maps that are one field as a whole. Source: the markers structType and mapType of k8s.io/api. */
const atomicMessages: ReadonlySet<string> = new Set(
  (
    'ConfigMapKeySelector EndpointAddress EndpointPort FileKeySelector LabelSelector LocalObjectReference ' +
    'NodeSelector NodeSelectorTerm ObjectFieldSelector ObjectReference ResourceFieldSelector ScopeSelector ' +
    'ScopedResourceSelectorRequirement SecretKeySelector SecretReference TopologySelectorTerm ' +
    'TypedLocalObjectReference discovery.EndpointPort networking.ServiceBackendPort rbac.RoleRef rbac.Subject ' +
    'admissionregistration.MatchResources admissionregistration.NamedRuleWithOperations admissionregistration.ParamKind ' +
    'admissionregistration.ParamRef admissionregistration.Variable'
  ).split(' '),
);

const atomicMaps: ReadonlySet<string> = new Set([
  'PodSpec.nodeSelector',
  'ReplicationControllerSpec.selector',
  'ServiceSpec.selector',
]);

/** Values of fields that are left out. Source: kubernetes, pkg/apis, the files v1/defaults.go. */
const defaults: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['Secret.type', 'Opaque'],
  ['ServiceSpec.sessionAffinity', 'None'],
  ['ServiceSpec.type', 'ClusterIP'],
  ['ServicePort.protocol', 'TCP'],
  ['PodSpec.dnsPolicy', 'ClusterFirst'],
  ['PodSpec.restartPolicy', 'Always'],
  ['PodSpec.schedulerName', 'default-scheduler'],
  ['PodSpec.securityContext', {}],
  ['PodSpec.terminationGracePeriodSeconds', 30],
  ['Container.resources', {}],
  ['Container.terminationMessagePath', '/dev/termination-log'],
  ['Container.terminationMessagePolicy', 'File'],
  ['EphemeralContainerCommon.resources', {}],
  ['EphemeralContainerCommon.terminationMessagePath', '/dev/termination-log'],
  ['EphemeralContainerCommon.terminationMessagePolicy', 'File'],
  ['ContainerPort.protocol', 'TCP'],
  ['ObjectFieldSelector.apiVersion', 'v1'],
  ['HTTPGetAction.path', '/'],
  ['HTTPGetAction.scheme', 'HTTP'],
  ['GRPCAction.service', ''],
  ['Probe.failureThreshold', 3],
  ['Probe.periodSeconds', 10],
  ['Probe.successThreshold', 1],
  ['Probe.timeoutSeconds', 1],
  ['SecretVolumeSource.defaultMode', 420],
  ['ConfigMapVolumeSource.defaultMode', 420],
  ['DownwardAPIVolumeSource.defaultMode', 420],
  ['ProjectedVolumeSource.defaultMode', 420],
  ['ServiceAccountTokenProjection.expirationSeconds', 3600],
  ['HostPathVolumeSource.type', ''],
  ['EndpointPort.protocol', 'TCP'],
  ['PersistentVolumeSpec.persistentVolumeReclaimPolicy', 'Retain'],
  ['PersistentVolumeSpec.volumeMode', 'Filesystem'],
  ['PersistentVolumeClaimSpec.volumeMode', 'Filesystem'],
  ['PersistentVolumeClaimStatus.phase', 'Pending'],
  ['apps.DeploymentSpec.progressDeadlineSeconds', 600],
  ['apps.DeploymentSpec.replicas', 1],
  ['apps.DeploymentSpec.revisionHistoryLimit', 10],
  ['apps.DeploymentSpec.strategy', {}],
  ['apps.DeploymentStrategy.type', 'RollingUpdate'],
  ['apps.ReplicaSetSpec.replicas', 1],
  ['apps.StatefulSetSpec.podManagementPolicy', 'OrderedReady'],
  ['apps.StatefulSetSpec.persistentVolumeClaimRetentionPolicy', {}],
  ['apps.StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted', 'Retain'],
  ['apps.StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled', 'Retain'],
  ['apps.StatefulSetSpec.replicas', 1],
  ['apps.StatefulSetSpec.revisionHistoryLimit', 10],
  ['apps.StatefulSetSpec.updateStrategy', {}],
  ['apps.DaemonSetSpec.revisionHistoryLimit', 10],
  ['apps.DaemonSetSpec.updateStrategy', {}],
  ['apps.DaemonSetUpdateStrategy.type', 'RollingUpdate'],
  ['batch.JobSpec.completionMode', 'NonIndexed'],
  ['batch.JobSpec.manualSelector', false],
  ['batch.JobSpec.suspend', false],
  ['ReplicationControllerSpec.replicas', 1],
  ['autoscaling.HorizontalPodAutoscalerSpec.minReplicas', 1],
  ['autoscaling.v2.HorizontalPodAutoscalerSpec.minReplicas', 1],
  ['apiregistration.ServiceReference.port', 443],
  ['discovery.EndpointPort.name', ''],
  ['discovery.EndpointPort.protocol', 'TCP'],
  ['networking.IngressClassParametersReference.scope', 'Cluster'],
  ['networking.NetworkPolicyPort.protocol', 'TCP'],
  ['rbac.RoleRef.apiGroup', 'rbac.authorization.k8s.io'],
  ['scheduling.PriorityClass.preemptionPolicy', 'PreemptLowerPriority'],
  ['storage.CSIDriverSpec.attachRequired', true],
  ['storage.CSIDriverSpec.fsGroupPolicy', 'ReadWriteOnceWithFSType'],
  ['storage.CSIDriverSpec.podInfoOnMount', false],
  ['storage.CSIDriverSpec.preventPodSchedulingIfMissing', false],
  ['storage.CSIDriverSpec.requiresRepublish', false],
  ['storage.CSIDriverSpec.seLinuxMount', false],
  ['storage.CSIDriverSpec.storageCapacity', false],
  ['storage.StorageClass.reclaimPolicy', 'Delete'],
  ['storage.StorageClass.volumeBindingMode', 'Immediate'],
  ['admissionregistration.MatchResources.matchPolicy', 'Equivalent'],
  ['admissionregistration.MatchResources.namespaceSelector', {}],
  ['admissionregistration.MatchResources.objectSelector', {}],
  ['admissionregistration.MutatingAdmissionPolicySpec.failurePolicy', 'Fail'],
  ['admissionregistration.MutatingWebhook.failurePolicy', 'Fail'],
  ['admissionregistration.MutatingWebhook.matchPolicy', 'Equivalent'],
  ['admissionregistration.MutatingWebhook.namespaceSelector', {}],
  ['admissionregistration.MutatingWebhook.objectSelector', {}],
  ['admissionregistration.MutatingWebhook.reinvocationPolicy', 'Never'],
  ['admissionregistration.MutatingWebhook.timeoutSeconds', 10],
  ['admissionregistration.Rule.scope', '*'],
  ['admissionregistration.ServiceReference.port', 443],
  ['admissionregistration.ValidatingAdmissionPolicySpec.failurePolicy', 'Fail'],
  ['admissionregistration.ValidatingWebhook.failurePolicy', 'Fail'],
  ['admissionregistration.ValidatingWebhook.matchPolicy', 'Equivalent'],
  ['admissionregistration.ValidatingWebhook.namespaceSelector', {}],
  ['admissionregistration.ValidatingWebhook.objectSelector', {}],
  ['admissionregistration.ValidatingWebhook.timeoutSeconds', 10],
  ['batch.CronJobSpec.concurrencyPolicy', 'Allow'],
  ['ISCSIPersistentVolumeSource.iscsiInterface', 'default'],
  ['ISCSIVolumeSource.iscsiInterface', 'default'],
  ['batch.CronJobSpec.failedJobsHistoryLimit', 1],
  ['batch.CronJobSpec.successfulJobsHistoryLimit', 3],
  ['batch.CronJobSpec.suspend', false],
]);

function applyNotes(keys: readonly string[]): JsonObject {
  if (keys.length === 0) return { 'x-kubernetes-list-type': 'set' };
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] };
}

function patchNotes([mergeKey]: readonly string[]): JsonObject {
  return {
    ...(mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': mergeKey }),
    'x-kubernetes-patch-strategy': 'merge',
  };
}

function fieldsAndKeys(table: string): [field: string, keys: readonly string[]][] {
  const rows = table.trim().split('\n');
  return rows.map((row) => row.split(' ')).map(([field = '', ...keys]) => [field, keys]);
}

const listNotes: ReadonlyMap<string, JsonObject> = new Map([
  ...fieldsAndKeys(mergingLists).map(
    ([field, keys]) =>
      [field, { ...applyNotes(keys), ...(appliedOnly.has(field) ? {} : patchNotes(keys)) }] as const,
  ),
  ...fieldsAndKeys(patchedOnly).map(
    ([field, keys]) => [field, { 'x-kubernetes-list-type': 'atomic', ...patchNotes(keys) }] as const,
  ),
]);

const atomic: JsonObject = { 'x-kubernetes-map-type': 'atomic' };

function defaultOf(message: string, field: string): JsonObject | undefined {
  const value = defaults.get(`${message}.${field}`);
  return value === undefined ? undefined : { default: value };
}

/** The documentation of messages besides their types. */
export const published: FieldNotes = {
  message: (message) => (atomicMessages.has(message) ? atomic : undefined),
  field: (message, field) => ({
    ...(atomicMaps.has(`${message}.${field}`) ? atomic : listNotes.get(`${message}.${field}`)),
    ...defaultOf(message, field),
  }),
};

/** The schema of a built-in kind as documents show it and as its objects merge. */
export const publishedSchema = messageSchemas(published);

/** The format alone takes no empty text, as in CRDs; but no bytes are bytes, too. */
export const base64: JsonObject = { type: 'string', anyOf: [{ format: 'byte' }, { maxLength: 0 }] };

/** A quantity may be written as a number, also with a fraction: `cpu: 0.5`. */
export const quantity: JsonObject = {
  anyOf: [{ type: 'string' }, { type: 'number' }],
  'x-kubernetes-preserve-unknown-fields': true,
};

/**
 * The schema by which objects are pruned, defaulted and checked. It does not look for twins in lists that merge by key:
 * upstream lets two variables of a container have one name, and refuses other twins by rules of its own.
 */
export const checkedSchema = messageSchemas({
  message: () => undefined,
  field: defaultOf,
  scalar: (type) => (type === 'bytes' ? base64 : type === 'Quantity' ? quantity : undefined),
});
