import { Faults, faultsEndpoint } from '../faults/index.ts';
import type { RequestFilter } from '../http/index.ts';

/** The endpoint comes first: no rule may keep a client from taking it away. */
export function faultFilters(): RequestFilter[] {
  const faults = new Faults();
  return [faultsEndpoint(faults), faults.filter];
}
