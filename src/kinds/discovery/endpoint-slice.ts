import { equal, isObject, type KubeObject, own, ownList, stringList } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { endpointErrors, slicePortErrors } from './validate-endpoint-slice.ts';

/** Source, also of the order: kubernetes, pkg/apis/discovery/validation. */
const rules: readonly KindRule[] = [
  { path: 'addressType', required: true, oneOf: ['FQDN', 'IPv4', 'IPv6'], immutable: true },
  slicePortErrors,
];

const cellOf = (slice: KubeObject, list: string, read: (item: KubeObject) => string) => {
  const texts = (ownList(slice, list) ?? []).filter(isObject).map(read);
  return texts.length === 0 ? '<unset>' : texts.join(',');
};

/** A plain object: no controller creates EndpointSlices for Services. */
export const endpointSliceKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    rules,
    validateNew: endpointErrors,
    // Older versions stored endpoints without these checks: they may stay as they are.
    validateChange: (slice, old) =>
      equal(own(slice, 'endpoints'), own(old, 'endpoints')) ? [] : endpointErrors(slice),
  }),
  type: builtInType({
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    namespaced: true,
    columns: [
      column('AddressType', '.addressType', { description: 'The type of the addresses.' }),
      column('Ports', '', {
        read: (slice) => cellOf(slice, 'ports', (port) => String(own(port, 'port') ?? '*')),
        description: 'The ports.',
      }),
      column('Endpoints', '', {
        read: (slice) => cellOf(slice, 'endpoints', (one) => stringList(own(one, 'addresses')).join(',')),
        description: 'The addresses.',
      }),
      ageColumn,
    ],
  }),
};
