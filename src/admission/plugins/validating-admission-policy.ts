import type { AdmissionPlugin } from '../chain.ts';
import { LivePolicies } from '../policy/live-policies.ts';
import { ValidatingPolicy } from '../policy/validating-policy.ts';
import { dispatchValidatingPolicies } from '../policy/validating-policy-dispatcher.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Evaluates ValidatingAdmissionPolicies. */
export function validatingAdmissionPolicy(parts: PluginParts): AdmissionPlugin {
  const { validatingPolicies, validatingPolicyBindings } = parts.configurations;
  const policies = new LivePolicies(
    { policies: validatingPolicies, bindings: validatingPolicyBindings },
    (policy) => new ValidatingPolicy(policy, parts.environments),
  );
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: (scope) => policies.handle(scope),
    validate: (attributes) => dispatchValidatingPolicies(policies.about(attributes), attributes, parts),
  };
}
