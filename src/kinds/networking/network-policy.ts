import { type KubeObject, ownList, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { specOf } from '../rules/workload.ts';
import { selectedPodsCell } from '../definition/workload-columns.ts';
import { networkPolicyErrors } from './validate-network-policy.ts';

/** Source: kubernetes, pkg/apis/networking/v1/defaults.go. */
function complete(policy: KubeObject): void {
  const spec = ownObject(policy, 'spec');
  if (spec === undefined || (ownList(spec, 'policyTypes') ?? []).length > 0) return;
  spec['policyTypes'] = (ownList(spec, 'egress') ?? []).length === 0 ? ['Ingress'] : ['Ingress', 'Egress'];
}

/** A plain object: no controller enforces it. */
export const networkPolicyKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules: [networkPolicyErrors] }),
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
        description: 'The pods that the policy selects.',
      }),
      ageColumn,
    ],
  }),
};
