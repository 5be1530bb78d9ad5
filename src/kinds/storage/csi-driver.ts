import {
  duplicate,
  type FieldError,
  invalid,
  isObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  stringList,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, textAt } from '../rules/field-checks.ts';
import { type ItemRule, itemRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/storage/validation and v1/defaults.go. */
const rules: readonly KindRule[] = [
  { path: 'spec.attachRequired', immutable: true, changePath: 'spec.attachedRequired' },
  { path: 'spec.fsGroupPolicy', oneOf: ['File', 'None', 'ReadWriteOnceWithFSType'] },
  tokenErrors,
  { path: 'spec.volumeLifecycleModes', itemsOneOf: ['Persistent', 'Ephemeral'], immutable: true },
  {
    path: 'spec.nodeAllocatableUpdatePeriodSeconds',
    min: 10,
    says: 'must be greater than or equal to 10 seconds',
  },
  tokensInSecretsErrors,
];

const tokenRules: readonly ItemRule[] = [
  { path: 'expirationSeconds', min: 600, says: 'may not specify a duration less than 10 minutes' },
  { path: 'expirationSeconds', max: 2 ** 32, says: 'may not specify a duration larger than 2^32 seconds' },
];

function complete(driver: KubeObject): void {
  const spec = ownObject(driver, 'spec');
  if (spec === undefined) return;
  if ((ownList(spec, 'volumeLifecycleModes') ?? []).length === 0)
    spec['volumeLifecycleModes'] = ['Persistent'];
}

function tokenErrors(driver: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('spec', specOf(driver), 'tokenRequests', (request, path) => {
    const audience = textAt(request, 'audience');
    if (seen.has(audience)) return [duplicate(`${path}.audience`, audience)];
    seen.add(audience);
    return itemRuleErrors(tokenRules, request, path);
  });
}

function tokensInSecretsErrors(driver: KubeObject): FieldError[] {
  const spec = specOf(driver);
  const inSecrets = own(spec, 'serviceAccountTokenInSecrets');
  if (inSecrets === undefined || (ownList(spec, 'tokenRequests') ?? []).length > 0) return [];
  const why = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  return [invalid('spec.serviceAccountTokenInSecrets', inSecrets, why)];
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

/** CSIDriver objects have no effect: no driver is called. */
export const csiDriverKind: BuiltInKind = {
  strategy: ruledStrategy({ returnsDeleted: true, generation: true, rules }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'CSIDriver',
    resource: 'csidrivers',
    namespaced: false,
    complete,
    columns: [
      flagColumn('AttachRequired', 'attachRequired', 'Whether volumes need an attach operation.'),
      flagColumn('PodInfoOnMount', 'podInfoOnMount', 'Whether mounts get information about the pod.'),
      flagColumn('StorageCapacity', 'storageCapacity', 'Whether the driver publishes its storage capacity.'),
      column('TokenRequests', '', { read: tokensCell, description: 'The audiences of its tokens.' }),
      flagColumn('RequiresRepublish', 'requiresRepublish', 'Whether volumes are republished periodically.'),
      column('Modes', '', {
        read: (driver) => stringList(own(specOf(driver), 'volumeLifecycleModes')).join(',') || '<none>',
        description: 'The lifecycle modes of its volumes.',
      }),
      ageColumn,
    ],
  }),
};
