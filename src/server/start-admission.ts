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
  /** Allows plugins to write; before that they only read. */
  useRegistry(registry: Registry): void;
  /** Cancels webhook calls and writes in progress. */
  close(): void;
}

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
  const configurations = {
    mutatingWebhooks: catalog.liveObjects(registrations('mutatingwebhookconfigurations')),
    validatingWebhooks: catalog.liveObjects(registrations('validatingwebhookconfigurations')),
    mutatingPolicies: catalog.liveObjects(registrations('mutatingadmissionpolicies')),
    mutatingPolicyBindings: catalog.liveObjects(registrations('mutatingadmissionpolicybindings')),
    validatingPolicies: catalog.liveObjects(registrations('validatingadmissionpolicies')),
    validatingPolicyBindings: catalog.liveObjects(registrations('validatingadmissionpolicybindings')),
    resourceQuotas: catalog.liveObjects({ group: '', version: 'v1', resource: 'resourcequotas' }),
    limitRanges: catalog.liveObjects({ group: '', version: 'v1', resource: 'limitranges' }),
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
    useRegistry: (registry) => writes.use(registry),
    close: () => {
      writes.close();
      connector.close();
    },
  };
}

function registrations(resource: string) {
  return { group: 'admissionregistration.k8s.io', version: 'v1', resource };
}

async function loaded(sources: readonly LiveObjects[]): Promise<void> {
  await Promise.all(sources.map((source) => source.ready()));
}
