import { keepTimesOfNoChange } from '../../apply/index.ts';
import type { AdmissionAttributes } from '../../admission/index.ts';
import type { ViewEntry } from '../../cache/index.ts';
import type { ResourceType } from '../../crd/index.ts';
import {
  type KubeObject,
  limits,
  metadataOf,
  type Steps,
  type WriteOptions,
  writeOptionsObject,
} from '../../meta/index.ts';
import { attributesOf, scopeOf } from '../write/admission-attributes.ts';
import type { RequestContext } from '../request/context.ts';
import {
  type Representations,
  keepForm,
  representationObjectInSteps,
  representationOf,
  sharedObject,
} from '../representation/representation.ts';
import { applyGates } from '../write/gating.ts';
import { keepManagedFields } from '../write/keep-managed-fields.ts';
import { inSlices, pauseOf, type RegistryParts, runnerOf } from '../write/registry-parts.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import type { ResponseObject } from '../representation/response-object.ts';
import { waitForLatest } from '../resource/view-wait.ts';
import type { NoOpApplies } from './no-op-applies.ts';
import { storedPeersOf } from '../resource/stored-peers.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { dedupOwners, validateChanged } from '../write/validate.ts';
import { absentObject } from './absent-object.ts';
import { staleError } from './stale-error.ts';
import { withOwnMetadata } from '../write/own-metadata.ts';
import { requireFreshVersion, keepSystemMetadata } from './update-metadata.ts';
import { type ChangeOutcome, commitChange } from './commit-change.ts';

/** The object after a write, and whether the write created it. */
export interface WriteResult {
  readonly responseObject: ResponseObject;
  readonly created: boolean;
}

/** A change of one object, computed from its present state, possibly several times. */
export interface ChangeRequest {
  readonly target: ObjectTarget;
  readonly options: WriteOptions;
  readonly context: RequestContext;
  /** True if `transform` also returns the managed fields, as apply does. */
  readonly managed?: boolean;
  /** True for a write that upstream makes below admission. */
  readonly withoutAdmission?: boolean;
  /**
   * Computes the wanted object from the present one, in the request's version. It may return its argument and change
   * it: it owns root and metadata. The second argument is the present object again, which must not change. Below root
   * and metadata, changed values must be copied and unchanged ones kept.
   */
  readonly transform: (start: KubeObject, present: KubeObject) => Promise<KubeObject>;
  /** Recognizes changes known to have no effect, and records those that had none. */
  readonly idle?: NoOpApplies;
  /** What admission sees, if it is not the object itself; `transform` has already run admission's changes. */
  readonly admissionView?: AdmissionView;
  /** The size of the body, if it is the whole object. */
  readonly bytes?: number;
  /** True if `transform` does not change its argument. */
  readonly replaces?: boolean;
}

/** How an endpoint represents objects: `/scale` as a Scale. */
interface AdmissionView {
  readonly type: ResourceType;
  readonly show: (object: KubeObject) => KubeObject;
}

/**
 * Reads, computes, and commits unless another writer came between; then starts over with the new state. The only
 * place where concurrent writes of an existing object meet.
 *
 * @throws {StatusError} 404, 409 if the wanted object has another resourceVersion, 422
 */
export async function changeObject(parts: RegistryParts, request: ChangeRequest): Promise<WriteResult> {
  const { target, context, idle } = request;
  const { resource, namespace, name } = target;
  await resource.keyLock.whenFree(resource.key(namespace, name));
  const present = await readPresent(target);
  const preparing = idle && prepareRepresentations([present], { served: target, context });
  if (preparing !== undefined) await preparing;
  const known = idle === undefined ? undefined : await recalled(parts, target, { idle, present });
  if (known !== undefined && target.freshness.preconditions !== undefined) throw staleError(target);
  if (known !== undefined) return { responseObject: known, created: false };
  return { responseObject: await changeUntilWritten(parts, request, present), created: false };
}

/** The response to a change known to have no effect. */
async function recalled(
  parts: RegistryParts,
  target: ObjectTarget,
  { idle, present }: { readonly idle: NoOpApplies; readonly present: ViewEntry<Representations> },
): Promise<ResponseObject | undefined> {
  const reading = inSlices(parts, present.value.length, keepForm(present, target));
  if (reading !== undefined) await reading;
  return idle.recall(present);
}

async function changeUntilWritten(
  parts: RegistryParts,
  request: ChangeRequest,
  first: ViewEntry<Representations>,
): Promise<ResponseObject> {
  const { target } = request;
  let present = first;
  let release: (() => void) | undefined;
  try {
    for (let attempt = 1; attempt <= limits.updateAttemptsMax; attempt += 1) {
      const outcome = await attemptChange(parts, request, present);
      if ('responseObject' in outcome) return outcome.responseObject;
      if (outcome.current === undefined) throw absentObject(target);
      present = outcome.current;
      if (attempt === limits.updateLossesMax) release = await target.resource.keyLock.acquire(present.key);
    }
  } finally {
    release?.();
  }
  throw staleError(target);
}

/** The latest state of an object. @throws {StatusError} 404 */
export async function readPresent(target: ObjectTarget): Promise<ViewEntry<Representations>> {
  await waitForLatest(target, { timeoutMs: limits.freshnessWaitMsMax });
  const entry = target.resource.view.get(target.resource.key(target.namespace, target.name));
  if (entry === undefined) throw absentObject(target);
  return entry;
}

/** One run of a change on one state of the object. */
interface Attempt {
  readonly request: ChangeRequest;
  readonly present: ViewEntry<Representations>;
  readonly old: KubeObject;
  /** The size of the object or the body, whichever is larger. */
  readonly bytes: number;
  readonly pause: () => ReturnType<typeof pauseOf>;
}

/** The wanted object with its managed fields. */
interface Wanted {
  readonly tracked: KubeObject;
  readonly gated: Parameters<typeof applyGates>[1];
}

/** The wanted object after admission. */
interface Admitted {
  readonly object: KubeObject;
  /** Undefined if no plugin handles the write. */
  readonly attributes: AdmissionAttributes | undefined;
}

async function attemptChange(
  parts: RegistryParts,
  request: ChangeRequest,
  present: ViewEntry<Representations>,
): Promise<ChangeOutcome> {
  const { target, context } = request;
  const preparing = prepareRepresentations([present], { served: target, context });
  if (preparing !== undefined) await preparing;
  const bytes = Math.max(present.value.length, request.bytes ?? 0);
  const pause = () => pauseOf(parts, bytes);
  const old = await inSlices(parts, bytes, sharedObject(present, target));
  const attempt = { request, present, old, bytes, pause };
  const admitted = await admitWanted(parts, attempt, await computeWanted(parts, attempt));
  const { object } = admitted;
  const reserving = target.endpoint === '' ? target.resource.strategy : undefined;
  const reservation = await reserving?.reserve?.(object, old, peersOf(parts, request));
  try {
    const settled = await validateAndSettle(parts, attempt, admitted);
    const { dryRun } = request.options;
    const change = { target, object: settled, old, present, dryRun, context, bytes, reservation };
    const outcome = await commitChange(parts, change);
    // The result of a write with plugins may differ the next time.
    const isIdle = admitted.attributes === undefined && 'same' in outcome && outcome.same;
    if (isIdle) request.idle?.note(present, outcome.responseObject, context.warnings);
    return outcome;
  } finally {
    reservation?.release();
  }
}

/** Computes the wanted object from the present one, up to its managed fields. */
async function computeWanted(
  parts: RegistryParts,
  { request, present, old, bytes, pause }: Attempt,
): Promise<Wanted> {
  const { target, options, admissionView } = request;
  const start = await inSlices(parts, bytes, startOf(old, present, request));
  await pause();
  const wanted = await request.transform(start, old);
  await pause();
  requireFreshVersion(wanted, old, target);
  keepSystemMetadata(wanted, old);
  // A dry run returns it: upstream clears it when an object is stored.
  if (!options.dryRun) delete metadataOf(wanted)['selfLink'];
  const mutates =
    admissionView === undefined && parts.admission.mutates(scopeOf(target, 'UPDATE', target.endpoint));
  const gated = { ...request, dryRun: options.dryRun, mutates };
  await applyGates(parts, gated, { object: wanted, old }, 'before owners');
  const tracked = await (request.managed === true
    ? wanted
    : trackFields(parts, request, { old, wanted, bytes }));
  await pause();
  return { tracked, gated };
}

/** Runs the mutating plugins, and checks that the user may grant the permissions in the object. */
async function admitWanted(
  parts: RegistryParts,
  { request, old }: Attempt,
  { tracked, gated }: Wanted,
): Promise<Admitted> {
  const { target, context, admissionView } = request;
  dedupOwners(tracked, context.warnings, 'request');
  const attributes = updateAttributes(parts, request, { object: tracked, old });
  if (attributes !== undefined && admissionView === undefined) await parts.admission.admit(attributes);
  const object = admissionView === undefined ? (attributes?.object ?? tracked) : tracked;
  if (object !== tracked) keepManagedFields(object, tracked, context.warnings);
  dedupOwners(object, context.warnings, 'admission');
  await applyGates(parts, gated, { object, old }, 'after admission');
  const { groupResource: resource } = target.resource;
  const { namespace, name: requestName } = target;
  const change = { resource, namespace, requestName, object, oldObject: old, user: context.user };
  await parts.grants?.check(change);
  return { object, attributes };
}

/** Validates by the strategy and the validating plugins; returns the object to store. */
async function validateAndSettle(
  parts: RegistryParts,
  { request, old, bytes, pause }: Attempt,
  { object, attributes }: Admitted,
): Promise<KubeObject> {
  const { target, context, admissionView } = request;
  const { strategy } = target.resource;
  const { type, version } = target;
  const strategyContext = { type, version, clock: parts.clock, user: context.user };
  strategy.prepareForUpdate(object, old, target.endpoint, strategyContext);
  await pause();
  const warnings = validateChanged(object, old, target.endpoint, { strategy, context: strategyContext });
  if (attributes !== undefined) {
    attributes.replaceObject(admissionView === undefined ? object : admissionView.show(object));
    await parts.admission.validate(attributes);
  }
  context.warnings.add(...warnings);
  await pause();
  strategy.shapeStored?.(object, strategyContext, { old, isShaped: request.managed !== true });
  await pause();
  const settled = await inSlices(parts, bytes, keepTimesOfNoChange(old, object));
  await pause();
  return settled;
}

/** A dry run commits nothing, so it makes no claims. */
const peersOf = ({ claims }: RegistryParts, { target, options }: ChangeRequest) =>
  storedPeersOf(target, options.dryRun ? undefined : claims);

function updateAttributes(
  parts: RegistryParts,
  { target, options, context, admissionView, withoutAdmission = false }: ChangeRequest,
  { object, old }: { readonly object: KubeObject; readonly old: KubeObject },
): AdmissionAttributes | undefined {
  if (withoutAdmission) return undefined;
  const { endpoint } = target;
  const { dryRun } = options;
  const shown = () => writeOptionsObject('UpdateOptions', options);
  const write = { operation: 'UPDATE', endpoint, options: shown, dryRun, context } as const;
  if (admissionView === undefined) return attributesOf(parts, target, { ...write, object, oldObject: old });
  const { show } = admissionView;
  return attributesOf(parts, target, {
    ...write,
    shown: admissionView.type,
    object: show(object),
    oldObject: show(old),
  });
}

function trackFields(
  parts: RegistryParts,
  { target, context }: ChangeRequest,
  { old, wanted, bytes }: { old: KubeObject; wanted: KubeObject; bytes: number },
): KubeObject | Promise<KubeObject> {
  const { version, endpoint, resource } = target;
  const { clock } = parts;
  const run = runnerOf(parts, bytes);
  return resource.fields.track(old, wanted, { version, endpoint, context, clock, run });
}

/** The object that a change starts from; a copy for kinds that change objects in place. */
function* startOf(
  old: KubeObject,
  present: ViewEntry<Representations>,
  { target, replaces }: ChangeRequest,
): Steps<KubeObject> {
  if (replaces === true) return old;
  if (target.resource.strategy.sharesUnchanged === true) return withOwnMetadata(old);
  return yield* representationObjectInSteps(representationOf(present, target), present.modRevision);
}
