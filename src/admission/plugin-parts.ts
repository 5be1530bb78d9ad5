import type { Authorizer } from '../auth/index.ts';
import type { KubeObject } from '../meta/index.ts';
import type { RuleEnvironments } from '../schema/index.ts';
import type { AdmissionConnector } from '../webhook/index.ts';
import type { ConfigurationSource } from './configurations.ts';
import type { FindNamespace } from './matching/selectors.ts';
import type { LimitedResource } from './quota/check-quotas.ts';
import type { ParamSource } from './policy/params.ts';

/** What plugins write. */
export interface AdmissionWrites {
  /** Does nothing where it is there. @throws {StatusError} */
  createNamespace(name: string): Promise<void>;
  /** Writes the status of a ResourceQuota as it was read. @throws {StatusError} 409 where it changed since */
  updateQuotaStatus(quota: KubeObject): Promise<void>;
}

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
    readonly resourceQuotas: ConfigurationSource;
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
  readonly writes: AdmissionWrites;
  /** What nobody may use without a quota that limits it. */
  readonly limitedResources: readonly LimitedResource[];
}
