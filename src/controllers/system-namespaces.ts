import type { Registry } from '../registry/index.ts';
import { bodyOf, controllerContext, isAlreadyExists, servedTarget } from './client.ts';

/** What every cluster has; clients take them for granted. */
const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const;

const options = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore' } as const;

/** Creates the namespaces that are missing. */
export async function ensureSystemNamespaces(registry: Registry, signal: AbortSignal): Promise<void> {
  const target = await servedTarget(registry, { group: '', version: 'v1', resource: 'namespaces' });
  const context = controllerContext('ilk', signal);
  const create = async (name: string) => {
    const body = bodyOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    try {
      await registry.create({ target, body, options, context });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  };
  await Promise.all(systemNamespaces.map(create));
}
