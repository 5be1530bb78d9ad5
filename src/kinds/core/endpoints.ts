import { equal, isObject, type KubeObject, own, ownList, ownString } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { endpointsErrors } from './validate-endpoints.ts';

function addressesCell(endpoints: KubeObject): string {
  const found = (ownList(endpoints, 'subsets') ?? []).filter(isObject).flatMap((subset) => {
    const ports = (ownList(subset, 'ports') ?? []).filter(isObject).map((port) => String(own(port, 'port')));
    const hosts = (ownList(subset, 'addresses') ?? []).filter(isObject);
    return hosts.flatMap((host) => {
      const ip = ownString(host, 'ip') ?? '';
      return ports.length === 0 ? [ip] : ports.map((port) => `${ip}:${port}`);
    });
  });
  if (found.length === 0) return '<none>';
  return found.length > 3 ? `${found.slice(0, 3).join(',')} + ${found.length - 3} more...` : found.join(',');
}

/** A plain object: no controller creates Endpoints for Services. */
export const endpointsKind: BuiltInKind = {
  strategy: ruledStrategy({
    validateNew: endpointsErrors,
    // Older versions stored subsets without these checks: they may stay as they are.
    validateChange: (endpoints, old) =>
      equal(own(endpoints, 'subsets'), own(old, 'subsets')) ? [] : endpointsErrors(endpoints),
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'Endpoints',
    resource: 'endpoints',
    namespaced: true,
    shortNames: ['ep'],
    columns: [
      column('Endpoints', '', { read: addressesCell, description: 'The addresses and ports.' }),
      ageColumn,
    ],
  }),
};
