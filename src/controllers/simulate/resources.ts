/** Where objects of a kind are. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

const named = (group: string, resource: string, kind: string): ResourceName =>
  Object.freeze({ group, version: 'v1', resource, kind });

export const nodes = named('', 'nodes', 'Node');
export const pods = named('', 'pods', 'Pod');
export const services = named('', 'services', 'Service');
export const claims = named('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
export const volumes = named('', 'persistentvolumes', 'PersistentVolume');
export const endpointSlices = named('discovery.k8s.io', 'endpointslices', 'EndpointSlice');
export const deployments = named('apps', 'deployments', 'Deployment');
export const replicaSets = named('apps', 'replicasets', 'ReplicaSet');
export const statefulSets = named('apps', 'statefulsets', 'StatefulSet');
export const daemonSets = named('apps', 'daemonsets', 'DaemonSet');
export const jobs = named('batch', 'jobs', 'Job');
export const cronJobs = named('batch', 'cronjobs', 'CronJob');

export const apiVersionOf = ({ group, version }: ResourceName): string =>
  group === '' ? version : `${group}/${version}`;
