import type { AdmissionPlugin } from './chain.ts';
import type { PluginParts } from './plugin-parts.ts';
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './plugins/admission-webhooks.ts';
import { mutatingAdmissionPolicy } from './plugins/mutating-admission-policy.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificate-signing-requests.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/default-classes.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { namespaceAutoProvision } from './plugins/namespace-auto-provision.ts';
import { namespaceExists } from './plugins/namespace-exists.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { validatingAdmissionPolicy } from './plugins/validating-admission-policy.ts';

type MakePlugin = (parts: PluginParts) => AdmissionPlugin;

/**
 * All plugins, in upstream's recommended order. A new one is a file and a line here.
 * Source: kubernetes, pkg/kubeapiserver/options/plugins.go.
 */
const allPlugins: readonly (readonly [name: string, make: MakePlugin])[] = [
  ['NamespaceAutoProvision', namespaceAutoProvision],
  ['NamespaceLifecycle', namespaceLifecycle],
  ['NamespaceExists', namespaceExists],
  ['LimitRanger', limitRanger],
  ['TaintNodesByCondition', taintNodesByCondition],
  ['Priority', priority],
  ['DefaultStorageClass', defaultStorageClass],
  ['OwnerReferencesPermissionEnforcement', ownerReferencesPermissionEnforcement],
  ['RuntimeClass', runtimeClass],
  ['CertificateApproval', certificateApproval],
  ['CertificateSigning', certificateSigning],
  ['CertificateSubjectRestriction', certificateSubjectRestriction],
  ['DefaultIngressClass', defaultIngressClass],
  ['MutatingAdmissionPolicy', mutatingAdmissionPolicy],
  ['MutatingAdmissionWebhook', mutatingAdmissionWebhook],
  ['ValidatingAdmissionPolicy', validatingAdmissionPolicy],
  ['ValidatingAdmissionWebhook', validatingAdmissionWebhook],
  ['ResourceQuota', resourceQuota],
];

/** Plugins that are off by default, as upstream. */
const offByDefault: ReadonlySet<string> = new Set([
  'NamespaceAutoProvision',
  'NamespaceExists',
  'OwnerReferencesPermissionEnforcement',
]);

/** Upstream's plugins without effect in Ilk: for nodes, pods and other parts of a cluster. */
const withoutEffect: readonly string[] = Object.freeze(
  (
    'AlwaysAdmit AlwaysDeny AlwaysPullImages ClusterTrustBundleAttest DefaultTolerationSeconds ' +
    'DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration ImagePolicyWebhook ' +
    'LimitPodHardAntiAffinityTopology NodeDeclaredFeatureValidator NodeRestriction ' +
    'PersistentVolumeClaimResize PodGroupProtection PodNodeSelector PodResizeValidator PodSecurity ' +
    'PodTolerationRestriction PodTopologyLabels ServiceAccount StorageObjectInUseProtection'
  ).split(' '),
);

/** The enabled and disabled plugins, by `--enable-admission-plugins` and `--disable-admission-plugins`. */
interface PluginChoice {
  readonly enabled?: readonly string[];
  readonly disabled?: readonly string[];
}

/** The available plugins, and which are on by default. */
export const pluginNames: readonly { readonly name: string; readonly isDefault: boolean }[] = Object.freeze(
  allPlugins.map(([name]) => ({ name, isDefault: !offByDefault.has(name) })),
);

/**
 * Source: apiserver, pkg/server/options/admission.go, Validate.
 *
 * @throws {RangeError} for a name that is unknown upstream too, and for one in both lists
 */
export function checkPluginChoice({ enabled = [], disabled = [] }: PluginChoice): void {
  requireKnown('enable-admission-plugins', enabled);
  requireKnown('disable-admission-plugins', disabled);
  const both = [...new Set(enabled)].filter((name) => disabled.includes(name)).sort();
  if (both.length === 0) return;
  const names = `[${both.join(' ')}]`;
  throw new RangeError(`${names} in enable-admission-plugins and disable-admission-plugins overlapped`);
}

function requireKnown(flag: string, names: readonly string[]): void {
  for (const name of names) {
    if (isPluginName(name)) continue;
    throw new RangeError(`${flag} plugin "${name}" is unknown`);
  }
}

/** Whether Kubernetes has a plugin of that name. */
export function isPluginName(name: string): boolean {
  return withoutEffect.includes(name) || allPlugins.some(([known]) => known === name);
}

/** The names in a list that upstream knows and that have no effect in Ilk. */
export function pluginsWithoutEffect(names: readonly string[]): string[] {
  return names.filter((name) => withoutEffect.includes(name));
}

/** The enabled plugins. @throws {RangeError} as {@link checkPluginChoice} */
export function plugins(parts: PluginParts, choice: PluginChoice = {}): readonly AdmissionPlugin[] {
  checkPluginChoice(choice);
  const { enabled = [], disabled = [] } = choice;
  return allPlugins
    .filter(([name]) => enabled.includes(name) || !(offByDefault.has(name) || disabled.includes(name)))
    .map(([, make]) => make(parts));
}
