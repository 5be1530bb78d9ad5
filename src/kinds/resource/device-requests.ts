import {
  checkDnsLabel,
  checkDnsSubdomain,
  declared,
  duplicate,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  required,
} from '../../meta/index.ts';
import { selectorsErrors } from './device-selectors.ts';
import { structText } from '../typed/struct-text.ts';
import { eachIn, invalidAs, numberAt, requiredAs, textAt } from '../rules/field-checks.ts';

/**
 * The requests of a claim. Selectors, constraints and configurations are not validated.
 * Source: kubernetes, pkg/apis/resource/validation and v1/defaults.go.
 */
export function deviceRequestErrors(path: string, spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn(`${path}.devices`, ownObject(spec, 'devices') ?? {}, 'requests', (request, at) => {
    const name = textAt(request, 'name');
    const isTwin = seen.has(name);
    seen.add(name);
    return [
      ...invalidAs(`${at}.name`, name, checkDnsLabel),
      ...oneKindErrors(at, request),
      ...(isTwin ? [twin(at, request)] : []),
    ];
  });
}

function twin(path: string, request: JsonObject): FieldError {
  return { ...duplicate(path, request), valueText: structText('resource.DeviceRequest', request) };
}

function oneKindErrors(path: string, request: JsonObject): FieldError[] {
  const exactly = ownObject(request, 'exactly');
  const isEither = (ownList(request, 'firstAvailable') ?? []).length > 0;
  const why = 'exactly one of `exactly` or `firstAvailable` is required';
  if (exactly === undefined && !isEither) return [required(path, why)];
  if (exactly !== undefined && isEither) return [invalid(path, null, `${why}, but multiple fields are set`)];
  if (exactly !== undefined) return classErrors(`${path}.exactly`, exactly);
  return eachIn(path, request, 'firstAvailable', (one, at) => [
    ...invalidAs(`${at}.name`, textAt(one, 'name'), checkDnsLabel),
    ...classErrors(at, one),
  ]);
}

function classErrors(path: string, request: JsonObject): FieldError[] {
  return [
    ...requiredAs(`${path}.deviceClassName`, textAt(request, 'deviceClassName'), checkDnsSubdomain),
    ...selectorsErrors(path, request),
    ...allocationErrors(path, request),
  ];
}

function allocationErrors(path: string, request: JsonObject): FieldError[] {
  const [mode, count] = [textAt(request, 'allocationMode'), numberAt(request, 'count') ?? 0];
  if (mode === 'All') {
    const why = "must not be specified when allocationMode is 'All'";
    return count === 0 ? [] : [invalid(`${path}.count`, count, why)];
  }
  if (mode === 'ExactCount')
    return count > 0 ? [] : [invalid(`${path}.count`, count, 'must be greater than zero')];
  return [declared(notSupported(`${path}.allocationMode`, mode, ['All', 'ExactCount']))];
}

/** How many devices are meant where nothing is said. */
export function completeDeviceRequests(spec: KubeObject | undefined): void {
  const devices = ownObject(spec ?? {}, 'devices') ?? {};
  for (const request of (ownList(devices, 'requests') ?? []).filter(isObject)) {
    const some = [own(request, 'exactly'), ...(ownList(request, 'firstAvailable') ?? [])].filter(isObject);
    for (const one of some) {
      one['allocationMode'] ??= 'ExactCount';
      if (own(one, 'allocationMode') === 'ExactCount') one['count'] ??= 1;
    }
  }
}
