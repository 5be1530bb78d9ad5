import {
  ensureKubernetesService,
  ensureSystemNamespaces,
  ensureSystemPriorityClasses,
} from '../controllers/index.ts';
import {
  AddressRange,
  type BuiltInKind,
  builtInKinds,
  openApiKinds,
  systemPriorityClasses,
} from '../kinds/index.ts';
import type { RuleEnvironments } from '../schema/index.ts';
import type { Registry } from '../registry/index.ts';
import type { ServerOptions } from './options.ts';

/** The objects of a new server besides custom resources; a fork has those of its parent. */
export function servedKinds(
  { openapi = [], serviceClusterIpRange }: ServerOptions,
  rules: RuleEnvironments,
): BuiltInKind[] {
  const builtIn = builtInKinds({ serviceRange: serviceRangeOf(serviceClusterIpRange), rules });
  return [...builtIn, ...openApiKinds(openapi, builtIn)];
}

/** Creates the objects that every cluster has, if they are missing. */
export async function ensureSystemObjects(
  registry: Registry,
  { kubernetesService = false, serviceClusterIpRange, listen }: ServerOptions,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    ensureSystemNamespaces(registry, signal),
    ensureSystemPriorityClasses(registry, systemPriorityClasses, signal),
  ]);
  if (!kubernetesService) return;
  const { first: address } = serviceRangeOf(serviceClusterIpRange);
  const port = listen === false || listen === undefined || listen.port === 0 ? 6443 : listen.port;
  await ensureKubernetesService(registry, { address, port }, signal);
}

/** kubeadm's range, with room for a million addresses. */
const serviceRangeOf = (text = '10.96.0.0/12') => new AddressRange(text);
