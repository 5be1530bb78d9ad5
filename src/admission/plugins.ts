import type { Authorizer } from '../auth/index.ts';
import type { RuleEnvironments } from '../schema/index.ts';
import type { AdmissionConnector } from '../webhook/index.ts';
import type { AdmissionPlugin } from './chain.ts';
import type { ConfigurationSource } from './configurations.ts';
import type { FindNamespace } from './matching/selectors.ts';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './plugins/admission-webhooks.ts';
import { mutatingAdmissionPolicy } from './plugins/mutating-admission-policy.ts';
import type { ParamSource } from './policy/params.ts';
import { validatingAdmissionPolicy } from './plugins/validating-admission-policy.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';

/** What plugins look at besides the write. */
export interface PluginParts {
  /** The namespace as of a revision at least, undefined: the latest. It is shared. */
  readonly findNamespace: FindNamespace;
  readonly configurations: {
    readonly mutatingWebhooks: ConfigurationSource;
    readonly validatingWebhooks: ConfigurationSource;
    readonly mutatingPolicies: ConfigurationSource;
    readonly mutatingPolicyBindings: ConfigurationSource;
    readonly validatingPolicies: ConfigurationSource;
    readonly validatingPolicyBindings: ConfigurationSource;
  };
  /** Connects to webhooks. */
  readonly connector: AdmissionConnector;
  /** What expressions may use. */
  readonly environments: RuleEnvironments;
  /** Whom expressions ask. */
  readonly authorizer: Authorizer;
  readonly newUid: () => string;
  /** The objects that parametrize policies. */
  readonly params: ParamSource;
}

/** Every plugin, in upstream's recommended order. Source: kubernetes, pkg/kubeapiserver/options/plugins.go. */
export function plugins(parts: PluginParts): readonly AdmissionPlugin[] {
  return [
    namespaceLifecycle(parts),
    mutatingAdmissionPolicy(parts),
    mutatingAdmissionWebhook(parts),
    validatingAdmissionPolicy(parts),
    validatingAdmissionWebhook(parts),
  ];
}
