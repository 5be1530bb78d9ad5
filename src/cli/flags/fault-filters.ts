import { Faults, faultsEndpoint } from '../../faults/index.ts';
import type { ServerOptions } from '../../server.ts';

/** The endpoint comes first: no rule may keep a client from taking it away. */
export function faultFilters(): Pick<ServerOptions, 'filters' | 'webhookFilters'> {
  const faults = new Faults();
  return { filters: [faultsEndpoint(faults), faults.filter], webhookFilters: [faults.webhooks] };
}
