import { Faults, faultsEndpoint } from '../../faults/index.ts';
import type { ServerOptions } from '../../server.ts';

/** The endpoint comes first: otherwise a rule could prevent its own removal. */
export function faultFilters(): Pick<ServerOptions, 'filters' | 'webhookFilters'> {
  const faults = new Faults();
  return { filters: [faultsEndpoint(faults), faults.filter], webhookFilters: [faults.webhooks] };
}
