import {
  forbiddenError,
  type KubeObject,
  notFoundError,
  own,
  ownObject,
  StatusError,
} from '../meta/index.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { AdmissionPlugin } from './chain.ts';

/** These cannot be deleted. */
const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Nothing is created in a namespace that is missing or on its way out, and some namespaces stay.
 * Source: apiserver/pkg/admission/plugin/namespace/lifecycle.
 *
 * @param findNamespace the namespace as of a revision at least, or of now where that is undefined
 */
export function namespaceLifecycle(
  findNamespace: (name: string, asOf: number | undefined) => Promise<KubeObject | undefined>,
): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    // Namespaces are looked at when something is created in them, not when it is updated.
    repeatsUpdates: true,
    ignoresUpdates: true,
    changesNothing: true,
    async admit(attributes: AdmissionAttributes): Promise<void> {
      if (isNamespace(attributes)) return admitNamespace(attributes);
      if (attributes.operation !== 'CREATE' || attributes.namespace === '') return;
      const namespace = await findNamespace(attributes.namespace, attributes.asOf);
      if (namespace === undefined) {
        throw notFoundError({ group: '', resource: 'namespaces' }, attributes.namespace);
      }
      if (own(ownObject(namespace, 'metadata') ?? {}, 'deletionTimestamp') !== undefined) {
        throw terminatingError(attributes);
      }
    },
  };
}

function isNamespace({ resource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

function admitNamespace({ operation, name, resource }: AdmissionAttributes): void {
  if (operation === 'DELETE' && immortalNamespaces.has(name)) {
    throw forbiddenError(resource, name, 'this namespace may not be deleted');
  }
}

/** Clients look for the cause: an event recorder stops trying, a controller waits. */
function terminatingError(attributes: AdmissionAttributes): StatusError {
  const { namespace, name, resource } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbiddenError(resource, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({
    code: status.code,
    reason: 'Forbidden',
    message: status.message ?? why,
    details: { ...status.details, causes: [cause] },
  });
}
