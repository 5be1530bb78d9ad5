import type { ResourceType } from '../../crd/index.ts';
import { builtInType } from '../definition/kind.ts';

/** policy/v1 Eviction: the body of `pods/eviction`, never stored. */
export const evictionType: ResourceType = builtInType({
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  resource: 'evictions',
  namespaced: true,
});

/** v1 Binding: the body of `pods/binding` and `bindings`, never stored. */
export const bindingType: ResourceType = builtInType({
  group: '',
  version: 'v1',
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
});
