import { StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { forbiddenWrite } from '../forbidden-write.ts';
import type { PluginParts } from '../plugin-parts.ts';

/**
 * Creates the missing namespace of a new object. A dry run does not, and fails without it.
 * Source: kubernetes, plugin/pkg/admission/namespace/autoprovision.
 */
export function namespaceAutoProvision({ findNamespace, writes }: PluginParts): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: ({ operation, resource }) =>
      operation === 'CREATE' && !(resource.group === '' && resource.resource === 'namespaces'),
    async check(attributes) {
      const { namespace, dryRun, minRevision } = attributes;
      if (dryRun || namespace === '') return;
      if ((await findNamespace(namespace, minRevision)) !== undefined) return;
      try {
        await writes.createNamespace(namespace);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        throw forbiddenWrite(attributes, error.message);
      }
    },
  };
}
