import {
  checkLabelKey,
  duplicate,
  equal,
  type FieldError,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  required,
  stringList,
} from '../../meta/index.ts';
import { eachIn, eachItem, invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { driverNameErrors, parametersErrors } from './validate-parameters.ts';

/** Source: kubernetes, pkg/apis/storage/validation. */
const rules: readonly KindRule[] = [
  { path: 'parameters', immutable: true },
  { path: 'provisioner', immutable: true },
  provisionerErrors,
  parametersErrors,
  reclaimPolicyErrors,
  { path: 'reclaimPolicy', immutable: true },
  { path: 'volumeBindingMode', oneOf: ['Immediate', 'WaitForFirstConsumer'], immutable: true },
  topologiesErrors,
];

function provisionerErrors(storageClass: KubeObject): FieldError[] {
  return driverNameErrors('provisioner', storageClass);
}

/** An empty policy is accepted. */
function reclaimPolicyErrors(storageClass: KubeObject): FieldError[] {
  const policy = own(storageClass, 'reclaimPolicy');
  return policy === '' ? [] : supported('reclaimPolicy', policy, ['Delete', 'Retain']);
}

function topologiesErrors(storageClass: KubeObject): FieldError[] {
  const seen: JsonValue[] = [];
  return eachItem('allowedTopologies', ownList(storageClass, 'allowedTopologies'), (term, path) => {
    const keys = new Set<string>();
    const errors = eachIn(path, term, 'matchLabelExpressions', (one, at) => expressionErrors(one, at, keys));
    const topology = topologyOf(term);
    // Upstream compares with as many empty terms as there are terms.
    const sameBefore = topology.length === 0 || seen.some((other) => equal(other, topology));
    seen.push(topology);
    return [...errors, ...(sameBefore ? [duplicate(`${path}.matchLabelExpressions`, '')] : [])];
  });
}

/** The values by key, in an order of their own. */
function topologyOf(term: JsonObject): JsonValue[] {
  const expressions = (ownList(term, 'matchLabelExpressions') ?? []).filter(isObject);
  return expressions
    .map((one) => [textAt(one, 'key'), ...stringList(own(one, 'values')).sort()])
    .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}

function expressionErrors(expression: JsonObject, path: string, keys: Set<string>): FieldError[] {
  const [key, values] = [textAt(expression, 'key'), stringList(own(expression, 'values'))];
  const isTwin = keys.has(key);
  keys.add(key);
  return [
    ...(values.length === 0 ? [required(`${path}.values`)] : []),
    ...values.flatMap((value, index) =>
      values.indexOf(value) < index ? [duplicate(`${path}.values[${index}]`, value)] : [],
    ),
    ...invalidAs(`${path}.key`, key, checkLabelKey),
    ...(isTwin ? [duplicate(`${path}.key`, key)] : []),
  ];
}

/** No controller creates volumes from it. */
export const storageClassKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    rules,
  }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    resource: 'storageclasses',
    namespaced: false,
    shortNames: ['sc'],
    columns: [
      column('Provisioner', '.provisioner', { description: 'The provisioner of its volumes.' }),
      column('ReclaimPolicy', '.reclaimPolicy', { description: 'The reclaim policy of its volumes.' }),
      column('VolumeBindingMode', '.volumeBindingMode', { description: 'When volumes are bound.' }),
      column('AllowVolumeExpansion', '', {
        read: (one) => own(one, 'allowVolumeExpansion') === true,
        description: 'Whether volumes can be expanded.',
      }),
      ageColumn,
    ],
  }),
};
