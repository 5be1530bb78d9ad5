import { count, statusOf } from '../rules/workload.ts';
import { specCount, statusCount } from '../definition/workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

export const replicaSetKind = workloadKind({
  kind: 'ReplicaSet',
  resource: 'replicasets',
  shortNames: ['rs'],
  // The texts are those of a Deployment.
  selector: { calledInTexts: 'deployment', isRequired: true, unreadable: 'invalid label selector' },
  templateOf: 'ReplicaSet',
  statusCounts: {
    all: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'terminatingReplicas'],
    ofReplicas: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  },
  scales: true,
  counts: { first: ['replicas', 'minReadySeconds'] },
  firstStatus: { replicas: 0 },
  selectableFields: [
    {
      fieldPath: 'status.replicas',
      valueType: 'integer',
      read: (replicaSet) => String(count(statusOf(replicaSet), 'replicas')),
      default: '0',
    },
  ],
  columns: [
    specCount('Desired', 'replicas', 'How many pods are wanted.'),
    statusCount('Current', 'replicas', 'How many pods there are.'),
    statusCount('Ready', 'readyReplicas', 'How many pods are ready.'),
  ],
});
