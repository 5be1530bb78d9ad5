import type { JsonValue } from '../../../meta/index.ts';

/** The Kubernetes group versions that register types such as DeleteOptions. */
const versions: Readonly<Record<string, readonly string[]>> = {
  '': ['v1'],
  'admission.k8s.io': ['v1', 'v1beta1'],
  'admissionregistration.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'apiextensions.k8s.io': ['v1', 'v1beta1'],
  'apiregistration.k8s.io': ['v1', 'v1beta1'],
  apps: ['v1', 'v1beta1', 'v1beta2'],
  'authentication.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'authorization.k8s.io': ['v1', 'v1beta1'],
  autoscaling: ['v1', 'v2'],
  batch: ['v1', 'v1beta1'],
  'certificates.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'coordination.k8s.io': ['v1', 'v1alpha2', 'v1beta1'],
  'discovery.k8s.io': ['v1', 'v1beta1'],
  'events.k8s.io': ['v1', 'v1beta1'],
  extensions: ['v1beta1'],
  'flowcontrol.apiserver.k8s.io': ['v1', 'v1beta1', 'v1beta2', 'v1beta3'],
  'imagepolicy.k8s.io': ['v1alpha1'],
  'internal.apiserver.k8s.io': ['v1alpha1'],
  'lifecycle.k8s.io': ['v1alpha1'],
  'networking.k8s.io': ['v1', 'v1beta1'],
  'node.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  policy: ['v1', 'v1beta1'],
  'rbac.authorization.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'resource.k8s.io': ['v1', 'v1alpha3', 'v1beta1', 'v1beta2'],
  'scheduling.k8s.io': ['v1', 'v1alpha3', 'v1beta1'],
  'storage.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'storagemigration.k8s.io': ['v1', 'v1beta1'],
};

/** Groups of aggregated API servers, which documents of custom resources omit. */
const otherServers: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** The `x-kubernetes-group-version-kind` of a type that every group registers. */
export function kindInAllGroups(kind: string, { ofAllServers = false } = {}): JsonValue[] {
  return Object.entries(versions)
    .filter(([group]) => ofAllServers || !otherServers.has(group))
    .flatMap(([group, names]) => names.map((version) => ({ group, kind, version })));
}
