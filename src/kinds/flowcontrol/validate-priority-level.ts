import { hashBitsMax, mandatoryPriorityLevels, requiredEntropyBits } from '../../flowcontrol/index.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  nameOf,
  notSupported,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { numberAt, textAt } from '../rules/field-checks.ts';
import { type ItemRule, itemRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { equalSpecs, mandatorySpec } from './bootstrap-spec.ts';
import { conditionErrors } from './validate-flow-schema.ts';

const queuesMax = 10_000_000;
const notNegative = 'must be a non-negative integer';

/** Source: kubernetes, pkg/apis/flowcontrol/validation, ValidatePriorityLevelConfiguration. */
export const priorityLevelRules: readonly KindRule[] = [
  typeNameErrors,
  unionErrors,
  fixedErrors,
  conditionErrors,
];

const exemptRules: readonly ItemRule[] = [
  { path: 'nominalConcurrencyShares', min: 0, says: notNegative },
  { path: 'lendablePercent', range: [0, 100] },
];

const limitedRules: readonly ItemRule[] = [
  { path: 'nominalConcurrencyShares', min: 0, says: notNegative },
  (limited, path) => responseErrors(ownObject(limited, 'limitResponse') ?? {}, `${path}.limitResponse`),
  { path: 'lendablePercent', range: [0, 100] },
  { path: 'borrowingLimitPercent', min: 0, says: `if specified, ${notNegative}` },
];

const queuingRules: readonly ItemRule[] = [
  { path: 'queueLengthLimit', above: 0, says: 'must be positive' },
  { path: 'queues', above: 0, says: 'must be positive' },
  { path: 'queues', max: queuesMax },
  { path: 'handSize', above: 0, says: 'must be positive' },
  handErrors,
];

function typeNameErrors(level: KubeObject): FieldError[] {
  const type = textAt(specOf(level), 'type');
  if ((nameOf(level) === 'exempt') === (type === 'Exempt')) return [];
  return [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")];
}

function unionErrors(level: KubeObject): FieldError[] {
  const spec = specOf(level);
  const type = textAt(spec, 'type');
  const [limited, exempt] = [ownObject(spec, 'limited'), ownObject(spec, 'exempt')];
  if (type === 'Exempt') {
    return [
      ...(exempt ? itemRuleErrors(exemptRules, exempt, 'spec.exempt') : []),
      ...(limited ? [forbidden('spec.limited', '')] : []),
    ];
  }
  if (type !== 'Limited') return unknownTypeErrors(spec, type);
  return [
    ...(limited ? itemRuleErrors(limitedRules, limited, 'spec.limited') : []),
    ...(exempt ? [forbidden('spec.exempt', '')] : []),
    ...(limited ? [] : [required('spec.limited')]),
  ];
}

/** Both members of the union are forbidden. */
function unknownTypeErrors(spec: JsonObject, type: string): FieldError[] {
  const members = ['exempt', 'limited']
    .filter((field) => ownObject(spec, field) !== undefined)
    .map((field) => forbidden(`spec.${field}`, ''));
  return type === ''
    ? [...members, required('spec.type')]
    : [notSupported('spec.type', type, ['Exempt', 'Limited']), ...members];
}

function responseErrors(response: JsonObject, path: string): FieldError[] {
  const type = textAt(response, 'type');
  const queuing = ownObject(response, 'queuing');
  const at = `${path}.queuing`;
  if (type === 'Queue') return queuing ? itemRuleErrors(queuingRules, queuing, at) : [required(at)];
  const unwanted = queuing ? [forbidden(at, '')] : [];
  if (type === 'Reject') return unwanted;
  return type === ''
    ? [...unwanted, required(`${path}.type`)]
    : [notSupported(`${path}.type`, type, ['Queue', 'Reject']), ...unwanted];
}

function handErrors(queuing: JsonObject, path: string): FieldError[] {
  const [queues, handSize] = [numberAt(queuing, 'queues') ?? 0, numberAt(queuing, 'handSize') ?? 0];
  if (handSize <= 0) return [];
  const at = `${path}.handSize`;
  if (handSize > queues) return [invalid(at, handSize, `should not be greater than queues (${queues})`)];
  if (requiredEntropyBits(queues, handSize) <= hashBitsMax) return [];
  const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBitsMax}`;
  return [invalid(at, handSize, why)];
}

/** Administrators may change only the field `exempt` of the level `exempt`. */
function fixedErrors(level: KubeObject): FieldError[] {
  const spec = specOf(level);
  const fixed = mandatorySpec(level, mandatoryPriorityLevels);
  if (fixed === undefined) return [];
  const name = nameOf(level);
  if (name !== 'exempt') {
    if (equalSpecs(spec, fixed)) return [];
    return [invalid('spec', spec, `spec of '${name}' must equal the fixed value`)];
  }
  if (equalSpecs({ ...spec, exempt: own(fixed, 'exempt') ?? null }, fixed)) return [];
  const why = `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`;
  return [invalid('spec', spec, why)];
}
