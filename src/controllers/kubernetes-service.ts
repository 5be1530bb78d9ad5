import type { Registry } from '../registry/index.ts';
import { bodyOf, controllerContext, isAlreadyExists, isInvalid, servedTarget } from './client.ts';

/** The address of the API, as a Service. */
interface ApiPlace {
  /** The first address of the range of services. */
  readonly address: string;
  readonly port: number;
}

const options = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore' } as const;

/** Makes `default/kubernetes`, which suites look for, where it is missing and its address is free. */
export async function ensureKubernetesService(
  registry: Registry,
  { address, port }: ApiPlace,
  signal: AbortSignal,
): Promise<void> {
  const services = { group: '', version: 'v1', resource: 'services' };
  const target = await servedTarget(registry, services, 'default');
  const body = bodyOf({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP: address,
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }],
      type: 'ClusterIP',
    },
  });
  try {
    await registry.create({ target, body, options, context: controllerContext('ilk', signal) });
  } catch (error) {
    if (!isAlreadyExists(error) && !isInvalid(error)) throw error;
  }
}
