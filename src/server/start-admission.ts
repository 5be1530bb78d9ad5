import { AdmissionChain, checkPluginChoice, type PluginParts, plugins } from '../admission/index.ts';
import type { Authorizer } from '../auth/index.ts';
import { newUid } from '../meta/index.ts';
import type { LiveCatalog, LiveObjects, Registry } from '../registry/index.ts';
import type { RuleEnvironments } from '../schema/index.ts';
import { AdmissionConnector, type ServiceMap } from '../webhook/index.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { RegistryWrites } from './admission-writes.ts';
import type { ServerOptions } from './options.ts';

/** The inputs of admission, besides the attributes of writes. */
interface AdmissionParts {
  readonly catalog: LiveCatalog;
  readonly rules: RuleEnvironments;
  readonly random: (bytes: number) => Uint8Array;
  readonly services: ServiceMap;
  readonly authorizer: Authorizer;
}

/** The plugins of a server. */
export interface RunningAdmission {
  readonly chain: AdmissionChain;
  readonly metrics: AdmissionMetrics;
  /** What admission goes by, in the order of {@link configurationResources}. */
  readonly configurations: readonly LiveObjects[];
  /** Allows plugins to write; before that they only read. */
  useRegistry(registry: Registry): void;
  /** Cancels webhook calls and writes in progress. */
  close(): void;
}

const registrations = (resource: string) => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource,
});

/** The resources that admission goes by. */
export const configurationResources = Object.freeze({
  mutatingWebhooks: registrations('mutatingwebhookconfigurations'),
  validatingWebhooks: registrations('validatingwebhookconfigurations'),
  mutatingPolicies: registrations('mutatingadmissionpolicies'),
  mutatingPolicyBindings: registrations('mutatingadmissionpolicybindings'),
  validatingPolicies: registrations('validatingadmissionpolicies'),
  validatingPolicyBindings: registrations('validatingadmissionpolicybindings'),
  resourceQuotas: { group: '', version: 'v1', resource: 'resourcequotas' },
  limitRanges: { group: '', version: 'v1', resource: 'limitranges' },
});

/** Loads the admission configuration and creates the plugins. */
export async function startAdmission(
  options: ServerOptions,
  { catalog, rules, random, services, authorizer }: AdmissionParts,
): Promise<RunningAdmission> {
  const choice = {
    enabled: options.enableAdmissionPlugins ?? [],
    disabled: options.disableAdmissionPlugins ?? [],
  };
  checkPluginChoice(choice);
  const connector = new AdmissionConnector({ services, filters: options.webhookFilters ?? [] });
  const writes = new RegistryWrites();
  const metrics = new AdmissionMetrics();
  const of = (name: keyof typeof configurationResources) => catalog.liveObjects(configurationResources[name]);
  const configurations = {
    mutatingWebhooks: of('mutatingWebhooks'),
    validatingWebhooks: of('validatingWebhooks'),
    mutatingPolicies: of('mutatingPolicies'),
    mutatingPolicyBindings: of('mutatingPolicyBindings'),
    validatingPolicies: of('validatingPolicies'),
    validatingPolicyBindings: of('validatingPolicyBindings'),
    resourceQuotas: of('resourceQuotas'),
    limitRanges: of('limitRanges'),
  };
  await loaded(Object.values(configurations));
  const parts: PluginParts = {
    findNamespace: (name, minRevision) => catalog.findNamespace(name, minRevision),
    configurations,
    connector,
    environments: rules,
    authorizer,
    newUid: () => newUid(random),
    params: (apiVersion, kind) => catalog.objects.of(apiVersion, kind),
    writes,
    limitedResources: options.admissionConfiguration?.limitedResources ?? [],
  };
  return {
    chain: new AdmissionChain(plugins(parts, choice), (record) => metrics.observe(record)),
    metrics,
    configurations: Object.values(configurations),
    useRegistry: (registry) => writes.use(registry),
    close: () => {
      writes.close();
      connector.close();
    },
  };
}

async function loaded(sources: readonly LiveObjects[]): Promise<void> {
  await Promise.all(sources.map((source) => source.ready()));
}
