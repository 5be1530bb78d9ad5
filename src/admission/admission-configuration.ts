import { isObject, type JsonObject, own, ownList, ownString, stringList } from '../meta/index.ts';
import type { LimitedResource } from './quota/check-quotas.ts';
import { requirementsOf } from './quota/quota-scopes.ts';
import { isPluginName } from './plugins.ts';

/** The contents of `--admission-control-config-file`, for the plugins that take configurations in Ilk. */
export interface AdmissionConfiguration {
  /** Resources that may be used only with a quota that limits them. */
  readonly limitedResources: readonly LimitedResource[];
}

const apiVersions = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1'];
const quotaVersions = [
  'apiserver.config.k8s.io/v1',
  'resourcequota.admission.k8s.io/v1',
  'resourcequota.admission.k8s.io/v1beta1',
];

/**
 * Parses an AdmissionConfiguration.
 *
 * @param read reads the document at a path that a plugin names
 * @throws {RangeError} for another kind of document, an unknown plugin, and a plugin that takes no configuration
 */
export async function readAdmissionConfiguration(
  document: JsonObject,
  read: (path: string) => Promise<JsonObject>,
): Promise<AdmissionConfiguration> {
  requireKind(document, 'AdmissionConfiguration', apiVersions);
  const limitedResources: LimitedResource[] = [];
  for (const plugin of (ownList(document, 'plugins') ?? []).filter(isObject)) {
    const [name, path] = [ownString(plugin, 'name') ?? '', ownString(plugin, 'path') ?? ''];
    if (!isPluginName(name)) throw new RangeError(`unknown admission plugin: ${name}`);
    const given = own(plugin, 'configuration');
    const configuration = isObject(given) ? given : path === '' ? undefined : await read(path);
    if (configuration === undefined) continue;
    if (name !== 'ResourceQuota')
      throw new RangeError(`admission plugin ${name} takes no configuration here`);
    limitedResources.push(...limitedResourcesOf(configuration));
  }
  return { limitedResources: Object.freeze(limitedResources) };
}

function requireKind(document: JsonObject, kind: string, versions: readonly string[]): void {
  const [apiVersion, found] = [ownString(document, 'apiVersion') ?? '', ownString(document, 'kind') ?? ''];
  if (found === kind && versions.includes(apiVersion)) return;
  throw new RangeError(
    `no kind "${found}" is registered for version "${apiVersion}": want ${kind} of ${versions[0]}`,
  );
}

function limitedResourcesOf(configuration: JsonObject): LimitedResource[] {
  const kind =
    ownString(configuration, 'kind') === 'Configuration' ? 'Configuration' : 'ResourceQuotaConfiguration';
  requireKind(configuration, kind, quotaVersions);
  return (ownList(configuration, 'limitedResources') ?? []).filter(isObject).map((limited) => {
    return {
      group: ownString(limited, 'apiGroup') ?? '',
      resource: ownString(limited, 'resource') ?? '',
      matchContains: stringList(own(limited, 'matchContains')),
      matchScopes: requirementsOf(limited, 'matchScopes'),
    };
  });
}
