import {
  duplicate,
  equal,
  type FieldError,
  invalid,
  isObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  stringList,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, numberAt, supported, textAt } from '../rules/field-checks.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/storage/validation and v1/defaults.go. */

const modes = ['Persistent', 'Ephemeral'];
const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;
const periodSecondsMin = 10;

function complete(driver: KubeObject): void {
  const spec = ownObject(driver, 'spec');
  if (spec === undefined) return;
  if ((ownList(spec, 'volumeLifecycleModes') ?? []).length === 0)
    spec['volumeLifecycleModes'] = ['Persistent'];
}

function validate(driver: KubeObject): FieldError[] {
  const spec = specOf(driver);
  const period = numberAt(spec, 'nodeAllocatableUpdatePeriodSeconds');
  const inSecrets = own(spec, 'serviceAccountTokenInSecrets');
  const hasTokens = (ownList(spec, 'tokenRequests') ?? []).length > 0;
  return [
    ...supported('spec.fsGroupPolicy', own(spec, 'fsGroupPolicy'), policies),
    ...tokenErrors(driver),
    ...stringList(own(spec, 'volumeLifecycleModes')).flatMap((mode) =>
      modes.includes(mode) ? [] : [notSupported('spec.volumeLifecycleModes', mode, modes)],
    ),
    ...(period !== undefined && period < periodSecondsMin
      ? [
          invalid(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(inSecrets === undefined || hasTokens
      ? []
      : [
          invalid(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]),
  ];
}

function tokenErrors(driver: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('spec', specOf(driver), 'tokenRequests', (request, path) => {
    const audience = textAt(request, 'audience');
    if (seen.has(audience)) return [duplicate(`${path}.audience`, audience)];
    seen.add(audience);
    const seconds = numberAt(request, 'expirationSeconds');
    if (seconds === undefined) return [];
    const told = (why: string) => [invalid(`${path}.expirationSeconds`, seconds, why)];
    if (seconds < tokenSecondsMin) return told('may not specify a duration less than 10 minutes');
    return seconds > tokenSecondsMax ? told('may not specify a duration larger than 2^32 seconds') : [];
  });
}

function validateChange(driver: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(driver), specOf(old)];
  const kept = [
    ['attachRequired', 'attachedRequired'],
    ['volumeLifecycleModes', 'volumeLifecycleModes'],
  ] as const;
  return kept.flatMap(([field, called]) => {
    const value = own(spec, field);
    return equal(value, own(before, field))
      ? []
      : [invalid(`spec.${called}`, value ?? null, 'field is immutable')];
  });
}

function tokensCell(driver: KubeObject): string {
  const requests = ownList(specOf(driver), 'tokenRequests');
  return requests === undefined
    ? '<unset>'
    : requests
        .filter(isObject)
        .map((one) => textAt(one, 'audience'))
        .join(',');
}

const flagColumn = (name: string, field: string, description: string) =>
  column(name, `.spec.${field}`, { type: 'boolean', description });

/** No driver is there. */
export const csiDriverKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    generation: true,
    validate,
    validateChange,
  }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'CSIDriver',
    resource: 'csidrivers',
    namespaced: false,
    complete,
    columns: [
      flagColumn('AttachRequired', 'attachRequired', 'Whether volumes are attached first.'),
      flagColumn('PodInfoOnMount', 'podInfoOnMount', 'Whether the driver is told of the pod.'),
      flagColumn('StorageCapacity', 'storageCapacity', 'Whether it says how much room there is.'),
      column('TokenRequests', '', { read: tokensCell, description: 'Whom its tokens are for.' }),
      flagColumn('RequiresRepublish', 'requiresRepublish', 'Whether it is called again and again.'),
      column('Modes', '', {
        read: (driver) => stringList(own(specOf(driver), 'volumeLifecycleModes')).join(',') || '<none>',
        description: 'What its volumes live with.',
      }),
      ageColumn,
    ],
  }),
};
