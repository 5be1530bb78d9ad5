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
import { specOf } from '../rules/workload.ts';
import { equalSpecs, mandatorySpec } from './bootstrap-spec.ts';
import { conditionErrors } from './validate-flow-schema.ts';

/** Source: kubernetes, pkg/apis/flowcontrol/validation, ValidatePriorityLevelConfiguration. */

const queuesMax = 10_000_000;

export function priorityLevelErrors(level: KubeObject): FieldError[] {
  const spec = specOf(level);
  const type = textAt(spec, 'type');
  const misnamed = (nameOf(level) === 'exempt') !== (type === 'Exempt');
  return [
    ...(misnamed ? [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")] : []),
    ...unionErrors(type, spec),
    ...fixedErrors(level, spec),
    ...conditionErrors(level),
  ];
}

function unionErrors(type: string, spec: JsonObject): FieldError[] {
  const [limited, exempt] = [ownObject(spec, 'limited'), ownObject(spec, 'exempt')];
  if (type === 'Exempt') {
    return [
      ...(limited ? [forbidden('spec.limited', 'must be nil if the type is not Limited')] : []),
      ...(exempt ? shareErrors('spec.exempt', exempt) : []),
    ];
  }
  if (type !== 'Limited') return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  return [
    ...(exempt ? [forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(limited
      ? limitedErrors('spec.limited', limited)
      : [required('spec.limited', 'must not be empty when type is Limited')]),
  ];
}

function shareErrors(path: string, limits: JsonObject): FieldError[] {
  const shares = numberAt(limits, 'nominalConcurrencyShares') ?? 0;
  if (shares >= 0) return percentErrors(path, limits);
  const negative = invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer');
  return [negative, ...percentErrors(path, limits)];
}

function percentErrors(path: string, limits: JsonObject): FieldError[] {
  const percent = numberAt(limits, 'lendablePercent') ?? 0;
  if (percent >= 0 && percent <= 100) return [];
  return [invalid(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')];
}

function limitedErrors(path: string, limited: JsonObject): FieldError[] {
  const shares = numberAt(limited, 'nominalConcurrencyShares') ?? 0;
  const borrowing = numberAt(limited, 'borrowingLimitPercent') ?? 0;
  const negative = 'if specified, must be a non-negative integer';
  return [
    ...(shares < 0
      ? [invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
      : []),
    ...responseErrors(`${path}.limitResponse`, ownObject(limited, 'limitResponse') ?? {}),
    ...percentErrors(path, limited),
    ...(borrowing < 0 ? [invalid(`${path}.borrowingLimitPercent`, borrowing, negative)] : []),
  ];
}

function responseErrors(path: string, response: JsonObject): FieldError[] {
  const type = textAt(response, 'type');
  const queuing = ownObject(response, 'queuing');
  const at = `${path}.queuing`;
  if (type === 'Reject')
    return queuing ? [forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
  if (type !== 'Queue') return [notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  if (queuing) return queuingErrors(at, queuing);
  return [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
}

function queuingErrors(path: string, queuing: JsonObject): FieldError[] {
  const number = (field: string) => numberAt(queuing, field) ?? 0;
  const [queues, handSize, length] = [number('queues'), number('handSize'), number('queueLengthLimit')];
  return [
    ...(length <= 0 ? [invalid(`${path}.queueLengthLimit`, length, 'must be positive')] : []),
    ...(queues <= 0 ? [invalid(`${path}.queues`, queues, 'must be positive')] : []),
    ...(queues > queuesMax
      ? [invalid(`${path}.queues`, queues, `must not be greater than ${queuesMax}`)]
      : []),
    ...handErrors(`${path}.handSize`, handSize, queues),
  ];
}

function handErrors(path: string, handSize: number, queues: number): FieldError[] {
  if (handSize <= 0) return [invalid(path, handSize, 'must be positive')];
  if (handSize > queues) return [invalid(path, handSize, `should not be greater than queues (${queues})`)];
  if (requiredEntropyBits(queues, handSize) <= hashBitsMax) return [];
  const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBitsMax}`;
  return [invalid(path, handSize, why)];
}

/** Of the level `exempt`, an administrator may change what it lends. */
function fixedErrors(level: KubeObject, spec: JsonObject): FieldError[] {
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
