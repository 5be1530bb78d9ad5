import { formatGroupVersion, type GroupVersionKind } from '../../meta/index.ts';
import { admissionregistrationV1 } from './tables/admissionregistration-v1.ts';
import { apiextensionsV1 } from './tables/apiextensions-v1.ts';
import { appsV1 } from './tables/apps-v1.ts';
import { authenticationV1 } from './tables/authentication-v1.ts';
import { authorizationV1 } from './tables/authorization-v1.ts';
import { apiregistrationV1 } from './tables/apiregistration-v1.ts';
import { autoscalingV1 } from './tables/autoscaling-v1.ts';
import { autoscalingV2 } from './tables/autoscaling-v2.ts';
import { batchV1 } from './tables/batch-v1.ts';
import { certificatesV1 } from './tables/certificates-v1.ts';
import { coordinationV1 } from './tables/coordination-v1.ts';
import { coreV1 } from './tables/core-v1.ts';
import { coreV1Cluster } from './tables/core-v1-cluster.ts';
import { coreV1Volumes } from './tables/core-v1-volumes.ts';
import { discoveryV1 } from './tables/discovery-v1.ts';
import { eventsV1 } from './tables/events-v1.ts';
import { flowcontrolV1 } from './tables/flowcontrol-v1.ts';
import { Messages } from './message-table.ts';
import { metaV1 } from './tables/meta-v1.ts';
import { networkingV1 } from './tables/networking-v1.ts';
import { nodeV1 } from './tables/node-v1.ts';
import { policyV1 } from './tables/policy-v1.ts';
import { rbacV1 } from './tables/rbac-v1.ts';
import { schedulingV1 } from './tables/scheduling-v1.ts';
import { resourceV1 } from './tables/resource-v1.ts';
import { storageV1Drivers } from './tables/storage-v1-drivers.ts';
import { storageV1 } from './tables/storage-v1.ts';
import { storagemigrationV1 } from './tables/storagemigration-v1.ts';

/** All messages by name; messages of groups other than core, meta and apiextensions have a prefix. */
export const messages = new Messages([
  ...[
    admissionregistrationV1,
    metaV1,
    coreV1,
    coreV1Volumes,
    apiextensionsV1,
    authenticationV1,
    authorizationV1,
    autoscalingV1,
  ],
  ...[apiregistrationV1, storageV1Drivers, resourceV1, nodeV1, storagemigrationV1],
  ...[certificatesV1, coordinationV1, eventsV1, rbacV1, appsV1, batchV1, coreV1Cluster],
  ...[networkingV1, discoveryV1, policyV1, autoscalingV2, storageV1, schedulingV1, flowcontrolV1],
]);

/** The kinds with a protobuf encoding in Ilk; some of them only with `--openapi`: `group/version` and the prefix of their messages. */
const kinds: readonly { groupVersion: string; prefix: string; kinds: string; lists: boolean }[] = [
  {
    groupVersion: 'v1',
    prefix: '',
    kinds:
      'Namespace Event Secret ConfigMap ServiceAccount Service Pod Node PersistentVolume PersistentVolumeClaim ' +
      'Endpoints ReplicationController ResourceQuota LimitRange PodTemplate',
    lists: true,
  },
  {
    groupVersion: 'apps/v1',
    prefix: 'apps.',
    kinds: 'Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision',
    lists: true,
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1',
    prefix: 'admissionregistration.',
    kinds:
      'MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy ' +
      'ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
    lists: true,
  },
  {
    groupVersion: 'certificates.k8s.io/v1',
    prefix: 'certificates.',
    kinds: 'CertificateSigningRequest ClusterTrustBundle PodCertificateRequest',
    lists: true,
  },
  { groupVersion: 'batch/v1', prefix: 'batch.', kinds: 'Job CronJob', lists: true },
  { groupVersion: 'v1', prefix: '', kinds: 'Status Binding', lists: false },
  { groupVersion: 'meta.k8s.io/v1', prefix: '', kinds: 'PartialObjectMetadata', lists: true },
  { groupVersion: 'meta.k8s.io/v1', prefix: '', kinds: 'Status', lists: false },
  { groupVersion: 'apiextensions.k8s.io/v1', prefix: '', kinds: 'CustomResourceDefinition', lists: true },
  { groupVersion: 'events.k8s.io/v1', prefix: 'events.', kinds: 'Event', lists: true },
  { groupVersion: 'coordination.k8s.io/v1', prefix: 'coordination.', kinds: 'Lease', lists: true },
  {
    groupVersion: 'networking.k8s.io/v1',
    prefix: 'networking.',
    kinds: 'Ingress IngressClass NetworkPolicy IPAddress ServiceCIDR',
    lists: true,
  },
  { groupVersion: 'discovery.k8s.io/v1', prefix: 'discovery.', kinds: 'EndpointSlice', lists: true },
  { groupVersion: 'policy/v1', prefix: 'policy.', kinds: 'PodDisruptionBudget', lists: true },
  { groupVersion: 'policy/v1', prefix: 'policy.', kinds: 'Eviction', lists: false },
  { groupVersion: 'policy/v1beta1', prefix: 'policy.', kinds: 'Eviction', lists: false },
  {
    groupVersion: 'storage.k8s.io/v1',
    prefix: 'storage.',
    kinds: 'StorageClass VolumeAttachment CSINode CSIDriver CSIStorageCapacity VolumeAttributesClass',
    lists: true,
  },
  {
    groupVersion: 'resource.k8s.io/v1',
    prefix: 'resource.',
    kinds: 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice DeviceTaintRule',
    lists: true,
  },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1',
    prefix: 'flowcontrol.',
    kinds: 'FlowSchema PriorityLevelConfiguration',
    lists: true,
  },
  { groupVersion: 'scheduling.k8s.io/v1', prefix: 'scheduling.', kinds: 'PriorityClass', lists: true },
  {
    groupVersion: 'autoscaling/v2',
    prefix: 'autoscaling.v2.',
    kinds: 'HorizontalPodAutoscaler',
    lists: true,
  },
  { groupVersion: 'autoscaling/v1', prefix: 'autoscaling.', kinds: 'Scale', lists: false },
  { groupVersion: 'autoscaling/v1', prefix: 'autoscaling.', kinds: 'HorizontalPodAutoscaler', lists: true },
  { groupVersion: 'apiregistration.k8s.io/v1', prefix: 'apiregistration.', kinds: 'APIService', lists: true },
  { groupVersion: 'node.k8s.io/v1', prefix: 'node.', kinds: 'RuntimeClass', lists: true },
  {
    groupVersion: 'storagemigration.k8s.io/v1',
    prefix: 'storagemigration.',
    kinds: 'StorageVersionMigration',
    lists: true,
  },
  {
    groupVersion: 'authorization.k8s.io/v1',
    prefix: 'authorization.',
    kinds: 'SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview SelfSubjectRulesReview',
    lists: false,
  },
  {
    groupVersion: 'authentication.k8s.io/v1',
    prefix: 'authentication.',
    kinds: 'SelfSubjectReview TokenReview TokenRequest',
    lists: false,
  },
  {
    groupVersion: 'rbac.authorization.k8s.io/v1',
    prefix: 'rbac.',
    kinds: 'Role RoleBinding ClusterRole ClusterRoleBinding',
    lists: true,
  },
];

/** Every group registers these kinds under its own versions, and clients send them so. */
const everywhere: ReadonlySet<string> = new Set(['DeleteOptions']);

/** The message of a kind. `items` is the message of a list's items; lists themselves have no table entry. */
export type KindMessage = { readonly message: string } | { readonly items: string };

const byKind: ReadonlyMap<string, KindMessage> = new Map([
  ...kinds.flatMap(({ groupVersion, prefix, kinds: names, lists }) =>
    names.split(' ').flatMap((name): [string, KindMessage][] => {
      const single: [string, KindMessage] = [`${groupVersion} ${name}`, { message: prefix + name }];
      return lists ? [single, [`${groupVersion} ${name}List`, { items: prefix + name }]] : [single];
    }),
  ),
  ['meta.k8s.io/v1beta1 PartialObjectMetadata', { message: 'PartialObjectMetadata' }],
  // The field order of this list has changed since.
  ['meta.k8s.io/v1beta1 PartialObjectMetadataList', { message: 'PartialObjectMetadataListV1beta1' }],
]);

/** The message of a kind; undefined if it has no protobuf form in Ilk. */
export function messageOf(apiVersion: string, kind: string): KindMessage | undefined {
  return everywhere.has(kind) ? { message: kind } : byKind.get(`${apiVersion} ${kind}`);
}

const kindMessages: ReadonlySet<string> = new Set(
  [...byKind.values()].flatMap((found) => ('message' in found ? [found.message] : [])),
);

/** True for the message of a kind: within another message it is a whole object, with `apiVersion` and `kind`. */
export function isKindMessage(message: string): boolean {
  return kindMessages.has(message) || everywhere.has(message);
}

/** True if bodies of this kind can be decoded and encoded as protobuf. */
export function supportsProtobuf(gvk: GroupVersionKind): boolean;
export function supportsProtobuf(group: string, version: string, kind: string): boolean;
export function supportsProtobuf(first: GroupVersionKind | string, version = '', kind = ''): boolean {
  const gvk = typeof first === 'string' ? { group: first, version, kind } : first;
  return messageOf(formatGroupVersion(gvk.group, gvk.version), gvk.kind) !== undefined;
}
