import { forbiddenError, notFoundError, own, ownObject, StatusError } from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionScope } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { forbiddenWrite } from '../forbidden-write.ts';

/** Namespaces that cannot be deleted. */
const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Refuses creates in a missing or terminating namespace, and deletes of system namespaces.
 * Source: apiserver, pkg/admission/plugin/namespace/lifecycle.
 */
export function namespaceLifecycle({ findNamespace }: Pick<PluginParts, 'findNamespace'>): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    isRepeatable: true,
    handles: (scope) => scope.operation === 'CREATE' || (scope.operation === 'DELETE' && isNamespace(scope)),
    async check(attributes: AdmissionAttributes): Promise<void> {
      if (isNamespace(attributes)) return checkNamespace(attributes);
      if (attributes.operation !== 'CREATE' || attributes.namespace === '') return;
      const namespace = await findNamespace(attributes.namespace, attributes.minRevision);
      if (namespace === undefined) {
        throw notFoundError({ group: '', resource: 'namespaces' }, attributes.namespace);
      }
      if (own(ownObject(namespace, 'metadata') ?? {}, 'deletionTimestamp') !== undefined) {
        throw terminatingError(attributes);
      }
    },
  };
}

function isNamespace({ resource }: AdmissionScope): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

function checkNamespace({ operation, name, resource }: AdmissionAttributes): void {
  if (operation === 'DELETE' && immortalNamespaces.has(name)) {
    throw forbiddenError(resource, name, 'this namespace may not be deleted');
  }
}

/** Clients check the cause: an event recorder stops retrying, a controller waits. */
function terminatingError(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbiddenWrite(attributes, why);
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
