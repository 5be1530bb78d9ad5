import {
  checkLabelKey,
  duplicate,
  equal,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  required,
  stringList,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, invalidAs, textAt } from '../rules/field-checks.ts';
import { type ItemRule, itemRuleErrors } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { driverNameErrors } from './driver-name.ts';

/** Source: kubernetes, pkg/apis/storage/validation. */

const nodeIdMax = 256;

const driverRules: readonly ItemRule[] = [
  (driver, path) => driverNameErrors(`${path}.name`, textAt(driver, 'name')),
  { path: 'nodeID', required: true, check: nodeIdErrors },
  { path: 'allocatable.count', min: 0 },
];

const driversOf = (node: KubeObject) => (ownList(specOf(node), 'drivers') ?? []).filter(isObject);

function validate(node: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('spec', specOf(node), 'drivers', (driver, path) => {
    const name = textAt(driver, 'name');
    const isTwin = seen.has(name);
    seen.add(name);
    return [
      ...itemRuleErrors(driverRules, driver, path),
      ...(isTwin ? [duplicate(`${path}.name`, name)] : []),
      ...topologyErrors(path, stringList(own(driver, 'topologyKeys'))),
    ];
  });
}

function nodeIdErrors(id: string): readonly string[] {
  return id.length > nodeIdMax ? [`must be ${nodeIdMax} characters or less`] : [];
}

function topologyErrors(path: string, keys: readonly string[]): FieldError[] {
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(path)] : []),
    ...(keys.indexOf(key) < index ? [duplicate(path, key)] : []),
    ...invalidAs(path, key, checkLabelKey),
  ]);
}

/** Only the number of allocatable volumes of a driver may change. */
function validateChange(node: KubeObject, old: KubeObject): FieldError[] {
  const rest = ({ allocatable: _, ...driver }: JsonObject) => driver;
  return driversOf(old).flatMap((before) => {
    const after = driversOf(node).find((driver) => own(driver, 'name') === own(before, 'name'));
    if (after === undefined || equal(rest(after), rest(before))) return [];
    return [invalid('spec.drivers', after, 'field is immutable')];
  });
}

/** CSINode objects have no effect: no driver registers itself. */
export const csiNodeKind: BuiltInKind = {
  strategy: ruledStrategy({ returnsDeleted: true, validate, validateChange }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'CSINode',
    resource: 'csinodes',
    namespaced: false,
    status: true,
    columns: [
      column('Drivers', '', {
        type: 'integer',
        read: (node) => driversOf(node).length,
        description: 'The number of drivers on the node.',
      }),
      ageColumn,
    ],
  }),
};
