import { LocalApiServices } from '../controllers/index.ts';
import { type ResourcePath, virtualResources } from '../http/index.ts';
import type { Registry } from '../registry/index.ts';

interface Parts {
  readonly signal: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
}

/** Before a request for APIServices: writes those of what is served. Undefined for all other requests. */
export function localApiServices(
  registry: Registry,
  parts: Parts,
): (path: ResourcePath) => Promise<void> | undefined {
  let services: LocalApiServices | undefined;
  return ({ group, resource }) => {
    if (resource !== 'apiservices' || group !== 'apiregistration.k8s.io') return undefined;
    const unstored = virtualResources.map((one) => ({ group: one.group, version: one.version }));
    services ??= new LocalApiServices({ ...parts, registry, unstored });
    return services.keep();
  };
}
