import {
  checkDnsLabel,
  checkDnsSubdomain,
  duplicate,
  equal,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, invalidAs, requiredAs, textAt } from '../rules/field-checks.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { driverNameErrors } from '../storage/driver-name.ts';

/** Source: kubernetes, pkg/apis/resource/validation; without what devices and their attributes are held to. */

const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;

function validateSlice(slice: KubeObject): FieldError[] {
  const spec = specOf(slice);
  const pool = ownObject(spec, 'pool') ?? {};
  const seen = new Set<string>();
  return [
    ...driverNameErrors('spec.driver', textAt(spec, 'driver')),
    ...requiredAs('spec.pool.name', textAt(pool, 'name'), (name) =>
      name.split('/').flatMap(checkDnsSubdomain),
    ),
    ...(Number(own(pool, 'resourceSliceCount') ?? 0) > 0
      ? []
      : [
          invalid(
            'spec.pool.resourceSliceCount',
            own(pool, 'resourceSliceCount') ?? 0,
            'must be greater than zero',
          ),
        ]),
    ...placeErrors(spec),
    ...eachIn('spec', spec, 'devices', (device, path) => {
      const name = textAt(device, 'name');
      const isTwin = seen.has(name);
      seen.add(name);
      return [...invalidAs(`${path}.name`, name, checkDnsLabel), ...(isTwin ? [duplicate(path, name)] : [])];
    }),
  ];
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

function validateSliceChange(slice: KubeObject, old: KubeObject): FieldError[] {
  const kept = (spec: JsonObject) => [
    ['spec.pool.name', own(ownObject(spec, 'pool') ?? {}, 'name')] as const,
    ['spec.driver', own(spec, 'driver')] as const,
    ['spec.nodeName', own(spec, 'nodeName')] as const,
  ];
  const before = new Map(kept(specOf(old)));
  return kept(specOf(slice)).flatMap(([path, value]) =>
    equal(value, before.get(path)) ? [] : [invalid(path, value ?? null, 'field is immutable')],
  );
}

/** No driver publishes its devices. */
export const resourceSliceKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, validate: validateSlice, validateChange: validateSliceChange }),
  type: builtInType({
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'ResourceSlice',
    resource: 'resourceslices',
    namespaced: false,
    selectableFields: [{ fieldPath: 'spec.nodeName' }, { fieldPath: 'spec.driver' }],
    columns: [
      column('Node', '.spec.nodeName', { description: 'Where the devices are.' }),
      column('Driver', '.spec.driver', { description: 'Whose devices they are.' }),
      column('Pool', '.spec.pool.name', { description: 'The pool that they are of.' }),
      ageColumn,
    ],
  }),
};

/** A choice of devices. */
export const deviceClassKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true }),
  type: builtInType({
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'DeviceClass',
    resource: 'deviceclasses',
    namespaced: false,
    columns: [ageColumn],
  }),
};
