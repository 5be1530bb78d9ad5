import { fieldsOwnedBy, keepOwners } from '../../apply/index.ts';
import { type ActingGates, type GateEffect, gateWarning, applyFieldGates } from '../../crd/index.ts';
import {
  ensureMetadata,
  formatGroupVersion,
  type KubeObject,
  metadataOf,
  own,
  put,
} from '../../meta/index.ts';
import { type RequestContext, takeEffect } from '../request/context.ts';
import { everyEntry } from '../../schema/index.ts';
import { crdName } from './gate-counts.ts';
import { type OmittedField, omittedFields, putOmitted, type Step } from './omitted-fields.ts';
import { inStorageVersion, type StoredPair } from '../representation/in-storage-version.ts';
import type { RegistryParts } from './registry-parts.ts';
import type { Endpoint } from '../../kinds/index.ts';
import type { ObjectTarget, Target } from '../resource/target.ts';

/** A write and the field gates of its target. */
interface GatedWrite {
  readonly target: Target & { readonly endpoint?: Endpoint };
  readonly dryRun: boolean;
  readonly context: RequestContext;
  /** True if the object already has its managed fields, as after an apply. */
  readonly managed?: boolean;
  /** True if a plugin may change the object. */
  readonly mutates?: boolean;
}

/** The gates that act on an endpoint; undefined if none does, as for nearly every resource. */
function actingOn({ type, version, endpoint = '' }: GatedWrite['target']): ActingGates | undefined {
  const part = endpoint === 'status' ? 'status' : version.subresources.status ? 'rest' : 'whole';
  return type.fieldGates?.acting[part];
}

/**
 * When the gates act, which they do once. Usually between mutating admission and the strategy, so that all later
 * steps see what will be stored; owners of kept fields must then be restored. If no plugin changes the object, the
 * gates act before owners are computed, so that such a field gets no owner.
 */
type GateMoment = 'before owners' | 'after admission';

function momentOf({ managed, mutates }: GatedWrite): GateMoment {
  // Apply and `/scale` have computed owners already.
  return mutates !== true && managed !== true ? 'before owners' : 'after admission';
}

/**
 * Applies the gates to a created or changed object, in place, if it is their moment. They act on the storage version,
 * as far as the version of the request shows it; `gateStored` handles the rest. A promise only if a webhook converts.
 *
 * @throws {StatusError} 500 if that fails
 */
export function applyGates(
  parts: RegistryParts,
  write: GatedWrite,
  pair: StoredPair,
  moment: GateMoment,
): Promise<void> | undefined {
  const acting = actingOn(write.target);
  if (acting === undefined || moment !== momentOf(write)) return undefined;
  let effects: readonly GateEffect[] = [];
  const settled = inStorageVersion(write.target, pair, ({ object, old }) => {
    effects = applyFieldGates(acting.root, object, old);
    return effects.some(undoes);
  });
  const finish = () => {
    // Apply and `/scale` may have taken fields from owners without changing them.
    const mayBeLost = write.managed === true || effects.some(undoes);
    if (moment === 'after admission' && mayBeLost) settleOwners(pair.object, pair.old, acting);
    report(parts, write, effects);
  };
  if (!(settled instanceof Promise)) {
    finish();
    return undefined;
  }
  return settled.then((object) => {
    if (object !== pair.object) takeContent(pair.object, object);
    finish();
  });
}

/** Other code refers to the object: it stays the same reference. */
function takeContent(object: KubeObject, other: KubeObject): void {
  for (const key of Object.keys(object)) delete object[key];
  for (const [key, value] of Object.entries(other)) put(object, key, value);
}

function undoes({ kind }: GateEffect): boolean {
  return kind === 'dropped' || kind === 'frozen' || kind === 'omitted';
}

/** A dropped field has no owner; a frozen one keeps its previous owners. */
function settleOwners(object: KubeObject, old: KubeObject | undefined, { root }: ActingGates): void {
  const after = own(metadataOf(object), 'managedFields');
  const settled = keepOwners(root, { object, before: old && own(metadataOf(old), 'managedFields') }, after);
  if (settled === after) return;
  if (settled === undefined) delete ensureMetadata(object)['managedFields'];
  else ensureMetadata(object)['managedFields'] = settled;
}

/** Warns the client, and counts each effect once per request, however often it is retried. */
function report(
  { gateCounts }: RegistryParts,
  { target, dryRun, context }: GatedWrite,
  effects: readonly GateEffect[],
): void {
  for (const effect of effects) {
    const text = gateWarning(effect, target.type.kind);
    const isCounted = !dryRun && !context.warnings.has(text);
    if (isCounted) takeEffect(context, () => gateCounts.add(crdName(target.type), effect));
    context.warnings.add(text);
  }
}

/** A configuration before it is applied. */
interface GatedConfiguration {
  readonly applied: KubeObject;
  /** The live object; undefined if there is none. */
  readonly old: KubeObject | undefined;
}

/**
 * The configuration with the fields that the gates allow, so that apply neither conflicts about a field that will not
 * change nor removes it because it is omitted.
 */
export function gateApplied(
  parts: RegistryParts,
  write: GatedWrite & { readonly target: ObjectTarget },
  { applied, old }: GatedConfiguration,
): KubeObject {
  const { target } = write;
  const acting = actingOn(target);
  if (acting === undefined || acting.off.length === 0) return applied;
  if (!hasStorageShape(target)) return applied;
  const gated = { ...applied };
  // Omitting a field that this manager has not applied before is not a change.
  const undone = applyFieldGates(acting.root, gated, old).filter(
    ({ kind }) => kind === 'dropped' || kind === 'frozen',
  );
  const omitted = old === undefined ? [] : omittedByOwner(write, acting, { applied, old });
  for (const { steps, value } of omitted) putOmitted(gated, steps, value);
  report(parts, write, [
    ...undone,
    ...omitted.map(({ gate, steps }) => ({ kind: 'omitted', gate, path: pathText(steps) }) as const),
  ]);
  return gated;
}

/** The fields that the applier owned, does not apply any more, and whose gates are off. */
function omittedByOwner(
  { target, context }: GatedWrite & { readonly target: ObjectTarget },
  { root }: ActingGates,
  { applied, old }: { readonly applied: KubeObject; readonly old: KubeObject },
): OmittedField[] {
  const identity = {
    manager: context.fieldManager === '' ? 'unknown' : context.fieldManager,
    operation: 'Apply',
    apiVersion: formatGroupVersion(target.type.group, target.version.name),
    subresource: target.endpoint,
  } as const;
  const isOwned = fieldsOwnedBy(identity, own(metadataOf(old), 'managedFields'));
  const omitted = [...omittedFields(root, { applied, old, steps: [] })];
  return omitted.filter(({ steps }) => isOwned(steps.map(({ element }) => element)));
}

/** In warnings: `spec.color`, `spec.containers[name="a"].image`. */
function pathText(steps: readonly Step[]): string {
  return steps
    .map(({ text }) => text)
    .join('')
    .slice(1);
}

/** Webhooks cannot convert a partial object, and fields of other versions may have other names. */
function hasStorageShape({ resource, version, type }: Target): boolean {
  return version === type.storageVersion || resource.converter.webhook === undefined;
}

/** True if a write of a field has no effect because its gate, or one above it, is off. */
export function isGatedOff(target: ObjectTarget, steps: readonly string[]): boolean {
  const off = hasStorageShape(target) ? (actingOn(target)?.off ?? []) : [];
  const leadsThrough = (step: string, index: number) => step === steps[index] || step === everyEntry;
  return off.some((field) => field.steps.every(leadsThrough));
}
