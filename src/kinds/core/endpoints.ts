import { isObject, type KubeObject, own, ownList, ownString } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { plainStrategy } from '../strategy/plain-strategy.ts';

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

/** No Service gets any: they are there when a test makes them. */
export const endpointsKind: BuiltInKind = {
  strategy: plainStrategy(),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'Endpoints',
    resource: 'endpoints',
    namespaced: true,
    shortNames: ['ep'],
    columns: [column('Endpoints', '', { read: addressesCell, description: 'Who answers.' }), ageColumn],
  }),
};
