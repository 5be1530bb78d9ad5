import {
  checkLabelKey,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { compareQuantities } from '../rules/field-checks.ts';
import { containerResourceErrors, resourceNameErrors } from '../rules/validate-resources.ts';
import { ratioOf } from './quantity-ratio.ts';

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Source: kubernetes, pkg/apis/core/validation, ValidateLimitRange. */
export function limitRangeErrors(range: KubeObject): FieldError[] {
  const limits = (ownList(ownObject(range, 'spec') ?? {}, 'limits') ?? []).filter(isObject);
  const seen = new Set<string>();
  return limits.flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const type = ownString(limit, 'type') ?? '';
    const errors = typeErrors(`${path}.type`, type);
    if (seen.has(type)) errors.push(duplicate(`${path}.type`, type));
    seen.add(type);
    return [...errors, ...limitErrors(path, type, limit)];
  });
}

function typeErrors(path: string, type: string): FieldError[] {
  const wrong = checkLabelKey(type).map((text) => invalid(path, type, text));
  if (wrong.length > 0 || type.includes('/') || standardTypes.includes(type)) return wrong;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

const fields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function limitErrors(path: string, type: string, limit: JsonObject): FieldError[] {
  const isPod = type === 'Pod';
  const checkName = isPod || type === 'Container' ? containerResourceErrors : resourceNameErrors;
  const namesErrors = (field: string): FieldError[] => {
    const names = Object.keys(ownObject(limit, field) ?? {});
    if (isPod && field.startsWith('default')) {
      const why = "may not be specified when `type` is 'Pod'";
      return names.length === 0 ? [] : [forbidden(`${path}.${field}`, why)];
    }
    return names.flatMap((name) => checkName(`${path}.${field}[${name}]`, name));
  };
  const known = isPod ? fields.filter((field) => !field.startsWith('default')) : fields;
  const names = new Set(known.flatMap((field) => Object.keys(ownObject(limit, field) ?? {})));
  return [
    ...fields.slice(0, 4).flatMap(namesErrors),
    ...(type === 'PersistentVolumeClaim' ? storageErrors(path, limit) : []),
    ...namesErrors('maxLimitRequestRatio'),
    ...[...names].sort().flatMap((name) => amountsErrors(path, name, limit)),
  ];
}

function storageErrors(path: string, limit: JsonObject): FieldError[] {
  const isGiven = ['min', 'max'].some((field) => own(ownObject(limit, field) ?? {}, 'storage') !== undefined);
  const why = 'either minimum or maximum storage value is required, but neither was provided';
  return isGiven ? [] : [required(`${path}.limits`, why)];
}

type Field = (typeof fields)[number];

const words: Readonly<Record<Field, string>> = {
  max: 'max value',
  min: 'min value',
  default: 'default value',
  defaultRequest: 'default request value',
  maxLimitRequestRatio: 'ratio',
};

/** The first must not exceed the second; with the path of the error, and the amount that it shows. */
const orders: readonly (readonly [lower: Field, upper: Field, at: Field, shown: Field])[] = [
  ['min', 'max', 'min', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest'],
  ['min', 'default', 'default', 'min'],
  ['default', 'max', 'default', 'max'],
];

/** Compares the amounts of one resource. */
function amountsErrors(path: string, name: string, limit: JsonObject): FieldError[] {
  const isPod = ownString(limit, 'type') === 'Pod';
  const amount = (field: Field): JsonValue | undefined =>
    isPod && field.startsWith('default') ? undefined : own(ownObject(limit, field) ?? {}, name);
  const at = (field: Field) => `${path}.${field}[${name}]`;
  const errors = orders.flatMap(([lower, upper, where, shown]) => {
    const [low, high, value] = [amount(lower), amount(upper), amount(shown)];
    if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return [];
    const second = lower === 'defaultRequest' && upper === 'default' ? 'default limit value' : words[upper];
    const text = `${words[lower]} ${String(low)} is greater than ${second} ${String(high)}`;
    return [invalid(at(where), value ?? null, text)];
  });
  return [...errors, ...ratioErrors(at('maxLimitRequestRatio'), amount), ...equalErrors(name, amount, at)];
}

function ratioErrors(path: string, amount: (field: Field) => JsonValue | undefined): FieldError[] {
  const [ratio, min, max] = [amount('maxLimitRequestRatio'), amount('min'), amount('max')];
  if (ratio === undefined) return [];
  const errors: FieldError[] = [];
  const shown = `ratio ${String(ratio)}`;
  if (compareQuantities(ratio, '1') < 0) errors.push(invalid(path, ratio, `${shown} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const limit = ratioOf(max, min);
  const isAbove = ratioOf(ratio, '1') > limit;
  if (isAbove) errors.push(invalid(path, ratio, `${shown} is greater than max/min = ${limit.toFixed(6)}`));
  return errors;
}

/** Resources that cannot be overcommitted need equal requests and limits. */
function equalErrors(
  name: string,
  amount: (field: Field) => JsonValue | undefined,
  at: (field: Field) => string,
): FieldError[] {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  const [limit, request] = [amount('default'), amount('defaultRequest')];
  if ((isNative && !name.startsWith('hugepages-')) || limit === undefined || request === undefined) return [];
  if (compareQuantities(limit, request) === 0) return [];
  const text = `default value ${String(limit)} must equal to defaultRequest value ${String(request)} in ${name}`;
  return [invalid(at('defaultRequest'), request, text)];
}
