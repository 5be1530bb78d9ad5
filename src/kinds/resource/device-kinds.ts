import {
  checkDnsLabel,
  checkDnsSubdomain,
  declaredLongName,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, invalidAs, textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { selectorsErrors } from './device-selectors.ts';
import { driverNameErrors } from '../storage/driver-name.ts';

/** Source: kubernetes, pkg/apis/resource/validation; without the rules for devices and their attributes. */

const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;

const sliceRules: readonly KindRule[] = [
  { path: 'spec.pool.name', immutable: true },
  (slice) => driverNameErrors('spec.driver', textAt(specOf(slice), 'driver')),
  { path: 'spec.driver', immutable: true },
  { path: 'spec.pool.name', required: true, check: (name) => name.split('/').flatMap(checkDnsSubdomain) },
  { path: 'spec.nodeName', immutable: true },
  sliceCountErrors,
  (slice) => placeErrors(specOf(slice)),
  devicesErrors,
];

/** The count is required: an absent one is 0. */
function sliceCountErrors(slice: KubeObject): FieldError[] {
  const count = own(ownObject(specOf(slice), 'pool') ?? {}, 'resourceSliceCount') ?? 0;
  return Number(count) > 0
    ? []
    : [invalid('spec.pool.resourceSliceCount', count, 'must be greater than zero')];
}

function devicesErrors(slice: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('spec', specOf(slice), 'devices', (device, path) => {
    const name = textAt(device, 'name');
    const isTwin = seen.has(name);
    seen.add(name);
    return [...invalidAs(`${path}.name`, name, checkDnsLabel), ...(isTwin ? [duplicate(path, name)] : [])];
  });
}

function placeErrors(spec: JsonObject): FieldError[] {
  const why = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  const given = places.filter((field) => {
    const value = own(spec, field);
    return value !== undefined && value !== '' && value !== false;
  });
  if (given.length === 1) return [];
  if (given.length === 0) return [required('spec', why)];
  const named = given.map((field) => `\`${field}\``).join(', ');
  return [invalid('spec', `{${named}}`, `${why}, but multiple fields are set`)];
}

/** ResourceSlice objects have no effect: no driver publishes devices. */
export const resourceSliceKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules: sliceRules }),
  type: builtInType({
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'ResourceSlice',
    resource: 'resourceslices',
    namespaced: false,
    selectableFields: [{ fieldPath: 'spec.nodeName' }, { fieldPath: 'spec.driver' }],
    columns: [
      column('Node', '.spec.nodeName', { description: 'The node of the devices.' }),
      column('Driver', '.spec.driver', { description: 'The driver of the devices.' }),
      column('Pool', '.spec.pool.name', { description: 'The pool of the devices.' }),
      ageColumn,
    ],
  }),
};

/** DeviceClass objects have no effect: no devices are allocated. */
export const deviceClassKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    nameRule: declaredLongName,
    validate: (one) => selectorsErrors('spec', specOf(one)),
  }),
  type: builtInType({
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'DeviceClass',
    resource: 'deviceclasses',
    namespaced: false,
    columns: [ageColumn],
  }),
};
