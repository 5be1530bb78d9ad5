import { type JsonObject, type KubeObject, nameOf, own, ownObject, StatusError } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { compareQuantities, isAboveZero, minus, plus, quantityOf, textOf } from '../resources/quantity.ts';
import { listText, only, type ResourceList, resourceListOf } from '../resources/resource-list.ts';
import type { QuotaCounter, ScopeRequirement } from './quota-counter.ts';
import { inScopes, isInScopes, scopesOf } from './quota-scopes.ts';
import { forbiddenWrite } from '../forbidden-write.ts';

/** A resource that nothing may use of without a quota that limits it. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Parts of names of amounts. */
  readonly matchContains: readonly string[];
  /** Objects in one of these scopes need a quota with that scope. */
  readonly matchScopes: readonly ScopeRequirement[];
}

interface QuotaParts {
  readonly counter: QuotaCounter;
  readonly limited: readonly LimitedResource[];
}

/**
 * The quotas with what a write uses added to their `status.used`: the same ones where it uses nothing.
 * Source: apiserver, admission/plugin/resourcequota/controller.go, CheckRequest.
 *
 * @throws {StatusError} 403 where a limit would be exceeded, the object does not say what is counted, or nobody has
 *   counted yet
 */
export function checkQuotas(
  quotas: readonly KubeObject[],
  attributes: AdmissionAttributes,
  parts: QuotaParts,
): readonly KubeObject[] {
  const { counter } = parts;
  const { object } = attributes;
  if (object === undefined || counter.concerns?.(attributes) === false) return quotas;
  const interesting = quotas.filter((quota) => isInteresting(quota, counter, object));
  for (const quota of interesting) requireReady(quota, counter, { attributes, object });
  const usage = counter.usage(object);
  const change = changeOf(usage, attributes, counter);
  const shares = new Map(
    interesting.map((quota) => [quota, wasIn(quota, attributes, counter) ? change : usage] as const),
  );
  const used = interesting.length === 0 ? [change] : [...shares.values()];
  if (used.every((share) => [...share.values()].every(({ amount }) => amount.value === 0n))) return quotas;
  requireCovered(interesting, { attributes, usage }, parts);
  requireScopesCovered(quotas, { attributes, object }, parts);
  return quotas.map((quota) => {
    const share = shares.get(quota);
    return share === undefined ? quota : withShare(quota, share, attributes);
  });
}

function statusOf(quota: KubeObject, field: 'hard' | 'used'): JsonObject {
  return ownObject(ownObject(quota, 'status') ?? {}, field) ?? {};
}

function namesIn(quota: KubeObject, counter: QuotaCounter): string[] {
  return Object.keys(statusOf(quota, 'hard')).filter((name) => counter.counts(name));
}

function isInteresting(quota: KubeObject, counter: QuotaCounter, object: KubeObject): boolean {
  return namesIn(quota, counter).length > 0 && isInScopes(quota, counter, object);
}

interface NewObject {
  readonly attributes: AdmissionAttributes;
  readonly object: KubeObject;
}

/** The object must specify what the quota counts, and the quota must have been counted. */
function requireReady(quota: KubeObject, counter: QuotaCounter, { attributes, object }: NewObject): void {
  const [names, used] = [namesIn(quota, counter), statusOf(quota, 'used')];
  const missing = counter.missing?.(names, object);
  if (missing !== undefined) throw refusal(attributes, `failed quota: ${nameOf(quota)}: ${missing}`);
  if (names.every((name) => own(used, name) !== undefined)) return;
  const shown = [...names].sort().join(',');
  throw refusal(attributes, `status unknown for quota: ${nameOf(quota)}, resources: ${shown}`);
}

function refusal(attributes: AdmissionAttributes, why: string): StatusError {
  return forbiddenWrite(attributes, why);
}

/** What an update uses more than the object did before; never less than nothing. */
function changeOf(
  usage: ResourceList,
  { operation, oldObject }: AdmissionAttributes,
  counter: QuotaCounter,
): ResourceList {
  if (operation !== 'UPDATE' || oldObject === undefined) return usage;
  const before = counter.usage(oldObject);
  return new Map(
    [...usage].map(([name, quantity]) => {
      const more = minus(quantity, before.get(name) ?? quantityOf(undefined));
      return [name, isAboveZero(more) ? more : quantityOf(undefined)];
    }),
  );
}

/** What was not in the quota's scopes before is new to it. */
function wasIn(quota: KubeObject, { oldObject }: AdmissionAttributes, counter: QuotaCounter): boolean {
  return oldObject !== undefined && isInScopes(quota, counter, oldObject);
}

function requireCovered(
  interesting: readonly KubeObject[],
  { attributes, usage }: { readonly attributes: AdmissionAttributes; readonly usage: ResourceList },
  { counter, limited }: QuotaParts,
): void {
  const { resource } = attributes;
  const of = limited.filter((one) => one.resource === resource.resource && one.group === resource.group);
  const covered = new Set(interesting.flatMap((quota) => namesIn(quota, counter)));
  const bare = [...usage]
    .filter(([, quantity]) => isAboveZero(quantity))
    .map(([amount]) => amount)
    .filter((amount) => of.some(({ matchContains }) => matchContains.some((part) => amount.includes(part))))
    .filter((amount) => !covered.has(amount));
  if (bare.length > 0) throw refusal(attributes, `insufficient quota to consume: ${bare.sort().join(',')}`);
}

/** Upstream gives this one no status of its own. */
function requireScopesCovered(
  quotas: readonly KubeObject[],
  { object }: NewObject,
  { counter, limited }: QuotaParts,
): void {
  const wanted = inScopes(
    limited.flatMap(({ matchScopes }) => matchScopes),
    counter,
    object,
  );
  if (wanted.length === 0) return;
  const covered = new Set(
    quotas.flatMap((quota) => inScopes(scopesOf(quota), counter, object)).map(({ scope }) => scope),
  );
  const bare = wanted.filter(({ scope }) => !covered.has(scope));
  if (bare.length === 0) return;
  const shown = bare.map(({ scope, operator, values }) => `{${scope} ${operator} [${values.join(' ')}]}`);
  const message = `insufficient quota to match these scopes: [${shown.join(' ')}]`;
  throw new StatusError({ code: 500, reason: '', message });
}

function withShare(quota: KubeObject, share: ResourceList, attributes: AdmissionAttributes): KubeObject {
  const hard = resourceListOf(statusOf(quota, 'hard'));
  const before = resourceListOf(statusOf(quota, 'used'));
  const requested = only(share, (name) => hard.has(name) && share.get(name)?.amount.value !== 0n);
  if (requested.size === 0) return quota;
  const after = new Map(
    [...requested].map(([name, more]) => [name, plus(before.get(name) ?? quantityOf(undefined), more)]),
  );
  const exceeded = only(after, (name) => isAbove(after, hard, name));
  if (exceeded.size > 0 && attributes.subresource !== 'status') {
    const [more, used, limited] = [requested, before, hard].map((list) =>
      listText(only(list, (name) => exceeded.has(name))),
    );
    throw refusal(
      attributes,
      `exceeded quota: ${nameOf(quota)}, requested: ${more}, used: ${used}, limited: ${limited}`,
    );
  }
  const sums = Object.fromEntries([...after].map(([name, quantity]) => [name, textOf(quantity)]));
  const status = { ...ownObject(quota, 'status'), used: { ...statusOf(quota, 'used'), ...sums } };
  return { ...quota, status };
}

function isAbove(amounts: ResourceList, limits: ResourceList, name: string): boolean {
  const [amount, limit] = [amounts.get(name), limits.get(name)];
  return amount !== undefined && limit !== undefined && compareQuantities(amount, limit) > 0;
}
