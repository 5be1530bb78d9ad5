import { type KubeObject, own, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { plainStrategy } from '../strategy/plain-strategy.ts';
import { specOf } from '../rules/workload.ts';
import { selectedPodsCell } from '../definition/workload-columns.ts';

/** Source: kubernetes, pkg/apis/networking/v1/defaults.go. */
function complete(policy: KubeObject): void {
  const spec = ownObject(policy, 'spec');
  if (spec === undefined || own(spec, 'policyTypes') !== undefined) return;
  spec['policyTypes'] = own(spec, 'egress') === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
}

/** Nobody keeps anything out. */
export const networkPolicyKind: BuiltInKind = {
  strategy: plainStrategy({ generation: true }),
  type: builtInType({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    namespaced: true,
    shortNames: ['netpol'],
    complete,
    columns: [
      column('Pod-Selector', '', {
        read: (policy) => selectedPodsCell(ownObject(specOf(policy), 'podSelector')),
        description: 'The pods that it is about.',
      }),
      ageColumn,
    ],
  }),
};
