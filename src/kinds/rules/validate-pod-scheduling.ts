import {
  checkLabelKey,
  checkLabelValue,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  own,
  ownList,
  ownObject,
  required,
  isObject,
} from '../../meta/index.ts';
import { eachIn, invalidAs, numberAt, supported, textAt } from './field-checks.ts';
import { labelSelectorErrors } from './validate-label-selector.ts';
import { nodeSelectorErrors, nodeSelectorTermErrors } from './validate-node-selector.ts';

/** Where a pod may run. Source: kubernetes, pkg/apis/core/validation. */

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const soft = 'preferredDuringSchedulingIgnoredDuringExecution';

export function schedulingErrors(spec: JsonObject, path: string): FieldError[] {
  return [
    ...affinityErrors(ownObject(spec, 'affinity') ?? {}, `${path}.affinity`),
    ...eachIn(path, spec, 'readinessGates', (gate, at) =>
      invalidAs(`${at}.conditionType`, textAt(gate, 'conditionType'), checkLabelKey),
    ),
    ...gatesErrors(spec, path),
    ...spreadErrors(spec, path),
    ...eachIn(path, spec, 'tolerations', tolerationErrors),
  ];
}

function affinityErrors(affinity: JsonObject, path: string): FieldError[] {
  const nodes = ownObject(affinity, 'nodeAffinity') ?? {};
  const wanted = ownObject(nodes, hard);
  return [
    ...(wanted === undefined ? [] : nodeSelectorErrors(`${path}.nodeAffinity.${hard}`, wanted)),
    ...eachIn(`${path}.nodeAffinity`, nodes, soft, (term, at) => [
      ...weightErrors(term, at),
      ...nodeSelectorTermErrors(ownObject(term, 'preference') ?? {}, `${at}.preference`),
    ]),
    ...['podAffinity', 'podAntiAffinity'].flatMap((field) =>
      podAffinityErrors(ownObject(affinity, field) ?? {}, `${path}.${field}`),
    ),
  ];
}

function weightErrors(term: JsonObject, path: string): FieldError[] {
  const weight = numberAt(term, 'weight') ?? 0;
  return weight >= 1 && weight <= 100
    ? []
    : [invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
}

function podAffinityErrors(affinity: JsonObject, path: string): FieldError[] {
  return [
    ...eachIn(path, affinity, hard, affinityTermErrors),
    ...eachIn(path, affinity, soft, (term, at) => [
      ...weightErrors(term, at),
      ...affinityTermErrors(ownObject(term, 'podAffinityTerm') ?? {}, `${at}.podAffinityTerm`),
    ]),
  ];
}

function affinityTermErrors(term: JsonObject, path: string): FieldError[] {
  const key = textAt(term, 'topologyKey');
  return [
    ...labelSelectorErrors(`${path}.labelSelector`, ownObject(term, 'labelSelector')),
    ...labelSelectorErrors(`${path}.namespaceSelector`, ownObject(term, 'namespaceSelector')),
    ...(key === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...invalidAs(`${path}.topologyKey`, key, checkLabelKey),
  ];
}

function gatesErrors(spec: JsonObject, path: string): FieldError[] {
  const names = new Set<string>();
  return eachIn(path, spec, 'schedulingGates', (gate, at) => {
    const name = textAt(gate, 'name');
    const isTwin = names.has(name);
    names.add(name);
    return [...invalidAs(at, name, checkLabelKey), ...(isTwin ? [duplicate(at, name)] : [])];
  });
}

const unsatisfiable = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusion = ['Honor', 'Ignore'];

function spreadErrors(spec: JsonObject, path: string): FieldError[] {
  const constraints = ownList(spec, 'topologySpreadConstraints') ?? [];
  const keys = constraints.map((one) => (isObject(one) ? spreadKey(one) : ''));
  return eachIn(path, spec, 'topologySpreadConstraints', (constraint, at, index) => {
    const key = spreadKey(constraint);
    const isRepeated = keys.indexOf(key, index + 1) !== -1;
    return [
      ...constraintErrors(constraint, at),
      ...(isRepeated ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, key)] : []),
      ...supported(`${at}.nodeAffinityPolicy`, own(constraint, 'nodeAffinityPolicy'), inclusion),
      ...supported(`${at}.nodeTaintsPolicy`, own(constraint, 'nodeTaintsPolicy'), inclusion),
      ...labelSelectorErrors(`${at}.labelSelector`, ownObject(constraint, 'labelSelector')),
    ];
  });
}

const spreadKey = (constraint: JsonObject) =>
  `{${textAt(constraint, 'topologyKey')}, ${textAt(constraint, 'whenUnsatisfiable')}}`;

function constraintErrors(constraint: JsonObject, path: string): FieldError[] {
  const skew = numberAt(constraint, 'maxSkew') ?? 0;
  const key = textAt(constraint, 'topologyKey');
  const domains = numberAt(constraint, 'minDomains');
  return [
    ...(skew <= 0 ? [invalid(`${path}.maxSkew`, skew, 'must be greater than zero')] : []),
    ...(key === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...supported(`${path}.whenUnsatisfiable`, textAt(constraint, 'whenUnsatisfiable'), unsatisfiable),
    ...(domains !== undefined && domains <= 0
      ? [invalid(`${path}.minDomains`, domains, 'must be greater than zero')]
      : []),
  ];
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function tolerationErrors(toleration: JsonObject, path: string): FieldError[] {
  const [key, operator] = [textAt(toleration, 'key'), textAt(toleration, 'operator')];
  const effect = textAt(toleration, 'effect');
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const timed = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  const isTimed = own(toleration, 'tolerationSeconds') !== undefined;
  return [
    ...(key === '' ? [] : invalidAs(`${path}.key`, key, checkLabelKey)),
    ...(key === '' && operator !== 'Exists' ? [invalid(`${path}.operator`, operator, all)] : []),
    ...(isTimed && effect !== 'NoExecute' ? [invalid(`${path}.effect`, effect, timed)] : []),
    ...valueErrors(toleration, path),
    ...(effect === '' ? [] : supported(`${path}.effect`, effect, effects)),
  ];
}

function valueErrors(toleration: JsonObject, path: string): FieldError[] {
  const [operator, value] = [textAt(toleration, 'operator'), textAt(toleration, 'value')];
  const where = `${path}.operator`;
  if (operator === 'Exists') {
    return value === '' ? [] : [invalid(where, value, "value must be empty when `operator` is 'Exists'")];
  }
  if (operator !== '' && operator !== 'Equal') return supported(where, operator, ['Equal', 'Exists']);
  const texts = checkLabelValue(value);
  return texts.length === 0 ? [] : [invalid(where, value, texts.join(';'))];
}
