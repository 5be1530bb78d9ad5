import {
  forbiddenError,
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { amountIn, isAbove, plus, quantityText } from './quota-amounts.ts';
import type { QuotaCounter, ScopeRequirement, Usage } from './quota-counter.ts';

/** What a quota is about, besides amounts. */
function scopesOf(quota: KubeObject): readonly ScopeRequirement[] {
  const spec = ownObject(quota, 'spec') ?? {};
  const selector = ownObject(spec, 'scopeSelector') ?? {};
  return [
    ...stringList(own(spec, 'scopes')).map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...(ownList(selector, 'matchExpressions') ?? []).filter(isObject).map((one) => ({
      scope: ownString(one, 'scopeName') ?? '',
      operator: ownString(one, 'operator') ?? '',
      values: stringList(own(one, 'values')),
    })),
  ];
}

/** Whether an object is in all scopes of a quota. */
export function isInScopes(quota: KubeObject, counter: QuotaCounter, object: KubeObject): boolean {
  return scopesOf(quota).every((requirement) => counter.isInScope?.(requirement, object) ?? false);
}

/** A resource that nothing may use of without a quota that limits it. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Parts of names of amounts. */
  readonly matchContains: readonly string[];
}

/**
 * The quotas with what a write uses added to their `status.used`: the same ones where it uses nothing.
 * Source: apiserver, admission/plugin/resourcequota/controller.go, CheckRequest.
 *
 * @throws {StatusError} 403 where a limit would be exceeded, or nobody has counted yet
 */
export function checkQuotas(
  quotas: readonly KubeObject[],
  attributes: AdmissionAttributes,
  { counter, limited }: { readonly counter: QuotaCounter; readonly limited: readonly LimitedResource[] },
): readonly KubeObject[] {
  const { object } = attributes;
  if (object === undefined) return quotas;
  const interesting = quotas.filter((quota) => isInteresting(quota, counter, object));
  for (const quota of interesting) requireCounted(quota, counter, attributes);
  const usage = counter.usage(object);
  if ([...usageOf(attributes, { counter, usage })].every(([, units]) => units === 0)) return quotas;
  requireCovered(interesting, attributes, { counter, usage, limited });
  return quotas.map((quota) =>
    interesting.includes(quota) ? withUsage(quota, attributes, { counter, usage }) : quota,
  );
}

function statusOf(quota: KubeObject, field: 'hard' | 'used'): JsonObject {
  return ownObject(ownObject(quota, 'status') ?? {}, field) ?? {};
}

function namesIn(quota: KubeObject, { names }: QuotaCounter): string[] {
  const hard = statusOf(quota, 'hard');
  return names.filter((name) => own(hard, name) !== undefined);
}

function isInteresting(quota: KubeObject, counter: QuotaCounter, object: KubeObject): boolean {
  return namesIn(quota, counter).length > 0 && isInScopes(quota, counter, object);
}

function requireCounted(quota: KubeObject, counter: QuotaCounter, attributes: AdmissionAttributes): void {
  const [names, used] = [namesIn(quota, counter), statusOf(quota, 'used')];
  if (names.every((name) => own(used, name) !== undefined)) return;
  const what = `status unknown for quota: ${nameOf(quota)}, resources: ${[...names].sort().join(',')}`;
  throw forbiddenError(attributes.resource, attributes.name, what);
}

interface CountedWrite {
  readonly counter: QuotaCounter;
  /** Of the new object. */
  readonly usage: Usage;
}

/** What an update uses more than the object did before; never less than nothing. */
function usageOf({ operation, oldObject }: AdmissionAttributes, { counter, usage }: CountedWrite): Usage {
  if (operation !== 'UPDATE' || oldObject === undefined) return usage;
  const before = counter.usage(oldObject);
  return new Map([...usage].map(([name, units]) => [name, Math.max(units - (before.get(name) ?? 0), 0)]));
}

function requireCovered(
  interesting: readonly KubeObject[],
  attributes: AdmissionAttributes,
  { counter, usage, limited }: CountedWrite & { readonly limited: readonly LimitedResource[] },
): void {
  const { resource, name } = attributes;
  const of = limited.filter((one) => one.resource === resource.resource && one.group === resource.group);
  const covered = new Set(interesting.flatMap((quota) => namesIn(quota, counter)));
  const bare = [...usage]
    .filter(([, units]) => units > 0)
    .map(([amount]) => amount)
    .filter((amount) => of.some(({ matchContains }) => matchContains.some((part) => amount.includes(part))))
    .filter((amount) => !covered.has(amount));
  if (bare.length === 0) return;
  throw forbiddenError(resource, name, `insufficient quota to consume: ${bare.sort().join(',')}`);
}

function withUsage(quota: KubeObject, attributes: AdmissionAttributes, write: CountedWrite): KubeObject {
  const { counter } = write;
  const { oldObject } = attributes;
  // What was not in the quota's scopes before is new to it.
  const isNew = oldObject === undefined || !isInScopes(quota, counter, oldObject);
  const usage = isNew ? write.usage : usageOf(attributes, write);
  const [hard, used] = [statusOf(quota, 'hard'), statusOf(quota, 'used')];
  const requested = namesIn(quota, counter)
    .sort()
    .flatMap((name) => ((usage.get(name) ?? 0) === 0 ? [] : [{ name, units: usage.get(name) ?? 0 }]));
  if (requested.length === 0) return quota;
  const exceeded = requested.filter(({ name, units }) =>
    isAbove(plus(amountIn(used, name), units), amountIn(hard, name)),
  );
  if (exceeded.length > 0) throw exceededError(quota, attributes, exceeded);
  const sums = requested.map(({ name, units }) => [name, quantityText(plus(amountIn(used, name), units))]);
  const status = { ...ownObject(quota, 'status'), used: { ...used, ...Object.fromEntries(sums) } };
  return { ...quota, status };
}

function exceededError(
  quota: KubeObject,
  { resource, name: of }: AdmissionAttributes,
  exceeded: readonly { readonly name: string; readonly units: number }[],
) {
  const shown = (value: (name: string, units: number) => string) =>
    exceeded.map(({ name, units }) => `${name}=${value(name, units)}`).join(',');
  const requested = shown((_, units) => quantityText({ value: BigInt(units), scale: 0, exact: true }));
  const used = shown((name) => quantityText(amountIn(statusOf(quota, 'used'), name)));
  const limits = shown((name) => String(own(statusOf(quota, 'hard'), name)));
  const what = `exceeded quota: ${nameOf(quota)}, requested: ${requested}, used: ${used}, limited: ${limits}`;
  return forbiddenError(resource, of, what);
}
