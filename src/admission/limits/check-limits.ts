import {
  isObject,
  type JsonObject,
  type KubeObject,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { containersOf, podResources, resourcesOf } from '../resources/pod-resources.ts';
import { type Quantity, scaledValue, textOf, zeroQuantity } from '../resources/quantity.ts';
import { type ResourceList, resourceListOf } from '../resources/resource-list.ts';

/** The requests and limits of a container, pod or claim. */
interface Demand {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/**
 * The violations of a LimitRange by a pod or a claim, as texts.
 * Source: kubernetes, plugin/pkg/admission/limitranger, PodValidateLimitFunc and PersistentVolumeClaimValidateLimitFunc.
 */
export function limitErrors(range: KubeObject, resource: string, object: KubeObject): string[] {
  const limits = (ownList(ownObject(range, 'spec') ?? {}, 'limits') ?? []).filter(isObject);
  return limits.flatMap((limit) => {
    const type = ownString(limit, 'type') ?? '';
    if (resource === 'persistentvolumeclaims')
      return type === 'PersistentVolumeClaim' ? claimErrors(limit, object) : [];
    return demandsOf(type, object).flatMap((demand) => demandErrors(type, limit, demand));
  });
}

/** The input of a constraint of a type. */
function demandsOf(type: string, pod: KubeObject): Demand[] {
  if (type === 'Container') {
    const containers = [...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')];
    return containers.map((one) => ({
      requests: resourcesOf(one, 'requests'),
      limits: resourcesOf(one, 'limits'),
    }));
  }
  if (type !== 'Pod') return [];
  const options = { actual: false, isPodLevel: (name: string) => name === 'cpu' || name === 'memory' };
  return [{ requests: podResources(pod, 'requests', options), limits: podResources(pod, 'limits', options) }];
}

function demandErrors(type: string, limit: JsonObject, demand: Demand): string[] {
  return [
    ...eachOf(limit, 'min', (name, enforced) => minError({ type, name, enforced }, demand)),
    ...eachOf(limit, 'max', (name, enforced) => maxError({ type, name, enforced }, demand)),
    ...eachOf(limit, 'maxLimitRequestRatio', (name, enforced) =>
      ratioError({ type, name, enforced }, demand),
    ),
  ];
}

/** Limits of a claim are ignored. */
function claimErrors(limit: JsonObject, claim: KubeObject): string[] {
  const type = 'PersistentVolumeClaim';
  const requests = resourcesOf(ownObject(claim, 'spec'), 'requests');
  const demand = { requests, limits: new Map() };
  return [
    ...eachOf(limit, 'min', (name, enforced) => minError({ type, name, enforced }, demand)),
    ...eachOf(limit, 'max', (name, enforced) => maxRequestError({ type, name, enforced }, requests)),
  ];
}

function eachOf(
  limit: JsonObject,
  field: string,
  check: (name: string, enforced: Quantity) => string | undefined,
): string[] {
  const amounts = [...resourceListOf(ownObject(limit, field))].sort(([a], [b]) => (a < b ? -1 : 1));
  return amounts.flatMap(([name, enforced]) => check(name, enforced) ?? []);
}

interface Constraint {
  readonly type: string;
  readonly name: string;
  readonly enforced: Quantity;
}

const int64Max = 2n ** 63n - 1n;
const milliMax = int64Max / 1000n;

/** In thousandths, if they fit into 64 bits, else in whole numbers. */
function comparable(quantities: readonly Quantity[]): bigint[] {
  const capped = (value: bigint) => (value > int64Max ? int64Max : value);
  const whole = quantities.map((one) => capped(scaledValue(one, 0)));
  if (whole.some((value) => value > milliMax)) return whole;
  return quantities.map((one) => scaledValue(one, -3));
}

function isAbove(one: Quantity, other: Quantity): boolean {
  const [left = 0n, right = 0n] = comparable([one, other]);
  return left > right;
}

function minError({ type, name, enforced }: Constraint, demand: Demand): string | undefined {
  const [request, limit] = [demand.requests.get(name), demand.limits.get(name)];
  const head = `minimum ${name} usage per ${type} is ${textOf(enforced)}`;
  if (request === undefined) return `${head}.  No request is specified`;
  if (isAbove(enforced, request)) return `${head}, but request is ${textOf(request)}`;
  if (limit !== undefined && isAbove(enforced, limit)) return `${head}, but limit is ${textOf(limit)}`;
  return undefined;
}

function maxError({ type, name, enforced }: Constraint, demand: Demand): string | undefined {
  const [request, limit] = [demand.requests.get(name), demand.limits.get(name)];
  const head = `maximum ${name} usage per ${type} is ${textOf(enforced)}`;
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (isAbove(limit, enforced)) return `${head}, but limit is ${textOf(limit)}`;
  if (request !== undefined && isAbove(request, enforced))
    return `${head}, but request is ${textOf(request)}`;
  return undefined;
}

function maxRequestError({ type, name, enforced }: Constraint, requests: ResourceList): string | undefined {
  const request = requests.get(name);
  const head = `maximum ${name} usage per ${type} is ${textOf(enforced)}`;
  if (request === undefined) return `${head}.  No request is specified`;
  return isAbove(request, enforced) ? `${head}, but request is ${textOf(request)}` : undefined;
}

function ratioError({ type, name, enforced }: Constraint, demand: Demand): string | undefined {
  const [request, limit] = [demand.requests.get(name), demand.limits.get(name)];
  const head = `${name} max limit to request ratio per ${type} is ${textOf(enforced)}`;
  const parts = comparable([request ?? zeroQuantity, limit ?? zeroQuantity, enforced]);
  const [requested = 0n, limited = 0n] = parts;
  if (requested === 0n) return `${head}, but no request is specified or request is 0`;
  if (limited === 0n) return `${head}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(requested);
  const most = Number(scaledValue(enforced, -3));
  return ratio * 1000 > most ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
