import { notFoundError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin-parts.ts';

/**
 * Refuses writes in a missing namespace, including updates and deletes.
 * Source: kubernetes, plugin/pkg/admission/namespace/exists.
 */
export function namespaceExists({ findNamespace }: PluginParts): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    isRepeatable: true,
    handles: ({ operation, resource }) =>
      operation !== 'CONNECT' && !(resource.group === '' && resource.resource === 'namespaces'),
    async validate({ namespace, minRevision }) {
      if (namespace === '' || (await findNamespace(namespace, minRevision)) !== undefined) return;
      throw notFoundError({ group: '', resource: 'namespaces' }, namespace);
    },
  };
}
