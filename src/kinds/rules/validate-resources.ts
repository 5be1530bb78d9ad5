import {
  checkLabelKey,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type JsonValue,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { compareQuantities, isFraction } from './field-checks.ts';

/** Requests and limits of a container. Source: kubernetes, pkg/apis/core/validation. */

const ofContainers = ['cpu', 'memory', 'ephemeral-storage'];
const standard = [
  ...ofContainers,
  'storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
];
const isHugePages = (name: string) => name.startsWith('hugepages-');
/** Native resources can be overcommitted; extended resources and huge pages cannot. */
const isCounted = (name: string) => name.includes('/') && !name.split('/')[0]?.endsWith('kubernetes.io');

export function resourcesErrors(resources: JsonObject, path: string): FieldError[] {
  const limits = ownObject(resources, 'limits') ?? {};
  const requests = ownObject(resources, 'requests') ?? {};
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const isAlone = names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory');
  return [
    ...Object.entries(limits).flatMap((entry) => amountErrors(`${path}.limits`, entry)),
    ...Object.entries(requests).flatMap((entry) => [
      ...amountErrors(`${path}.requests`, entry),
      ...requestErrors(path, entry, own(limits, entry[0])),
    ]),
    ...(isAlone ? [forbidden(path, 'HugePages require cpu or memory')] : []),
  ];
}

function amountErrors(path: string, [name, amount]: [string, JsonValue]): FieldError[] {
  const where = `${path}[${name}]`;
  return [
    ...containerResourceErrors(where, name),
    ...(compareQuantities(amount) < 0 ? [invalid(where, amount, 'must be greater than or equal to 0')] : []),
    ...(isCounted(name) && isFraction(amount) ? [invalid(where, amount, 'must be an integer')] : []),
  ];
}

/** The errors of the name of a resource: a standard one, or one with a domain. */
export function resourceNameErrors(path: string, name: string): FieldError[] {
  const wrong = checkLabelKey(name).map((text) => invalid(path, name, text));
  if (wrong.length > 0 || name.includes('/') || isHugePages(name.replace(/^requests\./, ''))) return wrong;
  const unknown = 'must be a standard resource type or fully qualified';
  return standard.includes(name) ? [] : [invalid(path, name, unknown)];
}

/** The errors of the name of a resource that containers request. */
export function containerResourceErrors(path: string, name: string): FieldError[] {
  const isOfContainers = name.includes('/') || ofContainers.includes(name) || isHugePages(name);
  const misplaced = 'must be a standard resource for containers';
  return [...resourceNameErrors(path, name), ...(isOfContainers ? [] : [invalid(path, name, misplaced)])];
}

function requestErrors(
  path: string,
  [name, amount]: [string, JsonValue],
  limit: JsonValue | undefined,
): FieldError[] {
  const isWhole = isCounted(name) || isHugePages(name);
  if (limit === undefined) {
    if (!isWhole) return [];
    return [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const order = compareQuantities(amount, limit);
  const shown = `${name} limit of ${String(limit)}`;
  if (isWhole && order !== 0) {
    return [invalid(`${path}.requests`, amount, `must be equal to ${shown}`)];
  }
  return order > 0 ? [invalid(`${path}.requests`, amount, `must be less than or equal to ${shown}`)] : [];
}
