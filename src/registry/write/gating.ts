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

/** A write on which the gates of fields act. */
interface GatedWrite {
  readonly target: Target & { readonly endpoint?: Endpoint };
  readonly dryRun: boolean;
  readonly context: RequestContext;
  /** True where the managed fields come with the object, as after an apply. */
  readonly managed?: boolean;
  /** True where a plugin may change the object on the way. */
  readonly mutates?: boolean;
}

/** The gates that act on what an endpoint writes; undefined where none does, as for nearly every resource. */
function actingOn({ type, version, endpoint = '' }: GatedWrite['target']): ActingGates | undefined {
  const part = endpoint === 'status' ? 'status' : version.subresources.status ? 'rest' : 'whole';
  return type.fieldGates?.acting[part];
}

/**
 * When the gates act, which they do once: as a rule between mutating admission and the strategy, so that everything
 * after sees what will be stored; owners of fields that stay as they are must be given back then. Where nothing changes
 * an object on the way, they act before owners are computed, so that nobody comes to own such a field.
 */
type GateMoment = 'before owners' | 'after admission';

function momentOf({ managed, mutates }: GatedWrite): GateMoment {
  // Apply and `/scale` have computed owners already.
  return mutates !== true && managed !== true ? 'before owners' : 'after admission';
}

/**
 * Lets the gates act on an object that is created or changed, in place, if it is the moment. They act on the storage
 * version, on all of it that the version of the request can tell; `gateStored` sees to the rest. A promise only where
 * a webhook converts.
 *
 * @throws {StatusError} 500 where that fails
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

/** Others hold the object: it stays the same one. */
function takeContent(object: KubeObject, other: KubeObject): void {
  for (const key of Object.keys(object)) delete object[key];
  for (const [key, value] of Object.entries(other)) put(object, key, value);
}

function undoes({ kind }: GateEffect): boolean {
  return kind === 'dropped' || kind === 'frozen' || kind === 'omitted';
}

/** A field that a gate dropped belongs to nobody, one that it froze to whoever it belonged to. */
function settleOwners(object: KubeObject, old: KubeObject | undefined, { root }: ActingGates): void {
  const after = own(metadataOf(object), 'managedFields');
  const settled = keepOwners(root, { object, before: old && own(metadataOf(old), 'managedFields') }, after);
  if (settled === after) return;
  if (settled === undefined) delete ensureMetadata(object)['managedFields'];
  else ensureMetadata(object)['managedFields'] = settled;
}

/** Tells the client, and counts each effect once for a request, however often it is tried. */
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

/** A configuration that is about to be applied. */
interface GatedConfiguration {
  readonly applied: KubeObject;
  /** The live object, undefined where there is none. */
  readonly old: KubeObject | undefined;
}

/**
 * The configuration as the gates let it through, so that apply neither conflicts about a field that will stay as it is
 * nor removes it because it is left out.
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
  // To leave out what one has not applied before is no change.
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

/** The fields that the applier owns and applies no more, and whose gates are off. */
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

/** As warnings show it: `spec.color`, `spec.containers[name="a"].image`. */
function pathText(steps: readonly Step[]): string {
  return steps
    .map(({ text }) => text)
    .join('')
    .slice(1);
}

/** No webhook converts half an object; behind one, the fields of other versions may have other names. */
function hasStorageShape({ resource, version, type }: Target): boolean {
  return version === type.storageVersion || resource.converter.webhook === undefined;
}

/** Whether a write of a field would change nothing because its gate, or one above it, is off. */
export function isGatedOff(target: ObjectTarget, steps: readonly string[]): boolean {
  const off = hasStorageShape(target) ? (actingOn(target)?.off ?? []) : [];
  const leadsThrough = (step: string, index: number) => step === steps[index] || step === everyEntry;
  return off.some((field) => field.steps.every(leadsThrough));
}
