import type { AdmissionPlugin } from '../chain.ts';
import { LivePolicies } from '../policy/live-policies.ts';
import { MutatingPolicy } from '../policy/mutating-policy.ts';
import { dispatchMutatingPolicies } from '../policy/mutating-policy-dispatcher.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Evaluates MutatingAdmissionPolicies. Deletes are not handled: there is no object to change. */
export function mutatingAdmissionPolicy(parts: PluginParts): AdmissionPlugin {
  const { mutatingPolicies, mutatingPolicyBindings } = parts.configurations;
  const policies = new LivePolicies(
    { policies: mutatingPolicies, bindings: mutatingPolicyBindings },
    (policy) => new MutatingPolicy(policy, parts.environments),
  );
  return {
    name: 'MutatingAdmissionPolicy',
    handles: (scope) => scope.operation !== 'DELETE' && policies.handle(scope),
    admit: (attributes) => dispatchMutatingPolicies(policies.about(attributes), attributes, parts),
  };
}
