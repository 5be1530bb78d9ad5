import type { Authorizer } from '../auth/index.ts';
import type { KubeObject } from '../meta/index.ts';
import type { RuleEnvironments } from '../schema/index.ts';
import type { AdmissionConnector } from '../webhook/index.ts';
import type { ConfigurationSource } from './configurations.ts';
import type { FindNamespace } from './matching/selectors.ts';
import type { LimitedResource } from './quota/check-quotas.ts';
import type { ParamSource } from './policy/params.ts';

/** The writes of plugins. */
export interface AdmissionWrites {
  /** Creates a namespace, unless it exists. @throws {StatusError} */
  createNamespace(name: string): Promise<void>;
  /** Writes the status of a ResourceQuota. @throws {StatusError} 409 if it changed since it was read */
  updateQuotaStatus(quota: KubeObject): Promise<void>;
}

/** The dependencies of plugins, besides the write. */
export interface PluginParts {
  /** Reads a namespace at a minimum revision; undefined: the latest. The object is shared. */
  readonly findNamespace: FindNamespace;
  readonly configurations: {
    readonly mutatingWebhooks: ConfigurationSource;
    readonly validatingWebhooks: ConfigurationSource;
    readonly mutatingPolicies: ConfigurationSource;
    readonly mutatingPolicyBindings: ConfigurationSource;
    readonly validatingPolicies: ConfigurationSource;
    readonly validatingPolicyBindings: ConfigurationSource;
    readonly resourceQuotas: ConfigurationSource;
    readonly limitRanges: ConfigurationSource;
  };
  /** Connects to webhooks. */
  readonly connector: AdmissionConnector;
  /** The CEL environment of expressions. */
  readonly environments: RuleEnvironments;
  /** The authorizer of expressions. */
  readonly authorizer: Authorizer;
  readonly newUid: () => string;
  /** The parameter objects of policies. */
  readonly params: ParamSource;
  readonly writes: AdmissionWrites;
  /** Resources that may be used only with a quota that limits them. */
  readonly limitedResources: readonly LimitedResource[];
}
