import {
  checkLabelKey,
  checkLabelValue,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  stringList,
} from '../../meta/index.ts';
import { compareQuantities, eachItem, invalidAs, oneOf, textAt } from '../rules/field-checks.ts';
import { cidrErrors } from '../rules/validate-address.ts';
import { specOf, statusOf } from '../rules/workload.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Source, also of the order: kubernetes, pkg/apis/core/validation, ValidateNode. */
export function nodeErrors(node: KubeObject): FieldError[] {
  const spec = specOf(node);
  const cidrs = stringList(own(spec, 'podCIDRs'));
  return [
    ...taintErrors(ownList(spec, 'taints') ?? []),
    ...amountErrors(node, 'capacity'),
    ...amountErrors(node, 'allocatable'),
    ...cidrs.flatMap((cidr, index) => cidrErrors(`spec.podCIDRs[${index}]`, cidr)),
    ...familyErrors(cidrs),
  ];
}

/** Upstream reports taints below `metadata`. */
function taintErrors(taints: Parameters<typeof eachItem>[1] = []): FieldError[] {
  const known = new Set<string>();
  return eachItem('metadata.taints', taints, (taint, path) => {
    const [key, effect, value] = [textAt(taint, 'key'), textAt(taint, 'effect'), textAt(taint, 'value')];
    const pair = `${effect} ${key}`;
    const isRepeated = known.has(pair);
    known.add(pair);
    const wrong = checkLabelValue(value).join(';');
    return [
      ...invalidAs(`${path}.key`, key, checkLabelKey),
      ...(wrong === '' ? [] : [invalid(`${path}.value`, value, wrong)]),
      ...oneOf(`${path}.effect`, effect, effects),
      ...(isRepeated ? [repeated(path, taint)] : []),
    ];
  });
}

/** Upstream prints its own struct, which has no JSON names. */
function repeated(path: string, taint: JsonObject): FieldError {
  const shown = {
    Key: textAt(taint, 'key'),
    Value: textAt(taint, 'value'),
    Effect: textAt(taint, 'effect'),
    TimeAdded: own(taint, 'timeAdded') ?? null,
  };
  const detail = 'taints must be unique by key and effect pair';
  return { type: 'FieldValueDuplicate', field: path, value: {}, valueText: JSON.stringify(shown), detail };
}

function amountErrors(node: KubeObject, field: 'capacity' | 'allocatable'): FieldError[] {
  return Object.entries(ownObject(statusOf(node), field) ?? {}).flatMap(([name, amount]) =>
    compareQuantities(amount) < 0
      ? [invalid(`status.${field}.${name}`, amount, 'must be greater than or equal to 0')]
      : [],
  );
}

function familyErrors(cidrs: readonly string[]): FieldError[] {
  const families = new Set(cidrs.map((cidr) => cidr.includes(':')));
  return families.size === cidrs.length
    ? []
    : [invalid('spec.podCIDRs', [...cidrs], 'may specify no more than one CIDR for each IP family')];
}

/** Source: kubernetes, pkg/apis/core/v1/defaults.go and conversion.go. */
export function completeNode(node: KubeObject): void {
  const [spec, status] = [ownObject(node, 'spec'), ownObject(node, 'status')];
  const capacity = status && ownObject(status, 'capacity');
  if (capacity !== undefined && own(status ?? {}, 'allocatable') === undefined && status !== undefined)
    status['allocatable'] = { ...capacity };
  if (spec === undefined) return;
  const [cidr, cidrs] = [textAt(spec, 'podCIDR'), stringList(own(spec, 'podCIDRs'))];
  if (cidr !== '' && cidr !== cidrs[0]) spec['podCIDRs'] = [cidr];
  else if (cidr === '' && cidrs[0] !== undefined) spec['podCIDR'] = cidrs[0];
}
