import type { Registry } from '../registry/index.ts';
import { bodyOf, controllerContext, isAlreadyExists, servedTarget } from './client.ts';

const options = { dryRun: false, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore' } as const;
const resource = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

interface SystemPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/**
 * Creates the PriorityClasses of upstream that are missing.
 * Source: kubernetes, pkg/registry/scheduling/rest, AddSystemPriorityClasses.
 */
export async function ensureSystemPriorityClasses(
  registry: Registry,
  classes: readonly SystemPriorityClass[],
  signal: AbortSignal,
): Promise<void> {
  const target = await servedTarget(registry, resource);
  const context = controllerContext(options.fieldManager, signal);
  const create = async ({ name, value, description }: SystemPriorityClass) => {
    const type = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
    const body = bodyOf({ ...type, metadata: { name }, value, description });
    try {
      await registry.create({ target, body, options, context });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  };
  await Promise.all(classes.map(create));
}
