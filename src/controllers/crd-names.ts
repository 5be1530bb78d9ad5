import {
  acceptNames,
  type CrdCondition,
  hasItsNames,
  hasUsableCaBundle,
  isConditionTrue,
  setCondition,
} from '../crd/index.ts';
import {
  clone,
  equal,
  isObject,
  type KubeObject,
  metadataOf,
  nameOf,
  own,
  ownObject,
  ownString,
} from '../meta/index.ts';
import { bodyOf, controllerContext, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { type CrdChange, crdResource } from './crd-feed.ts';
import type { RunningController } from './idle-state.ts';
import { runCrdWorker } from './crd-work.ts';

const options = { dryRun: false, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore' } as const;

/**
 * Gives CRDs their names and establishes them; one at a time, because names compete within their group. When a CRD
 * changes or is deleted, those of its group that wait for a name are checked again. Only the names of
 * all CRDs are kept in memory: a new CRD is compared with a thousand others without reading them.
 * Source: apiextensions-apiserver, controller/status/naming_controller.go and controller/establish.
 */
export function runCrdNames(parts: ControllerParts): RunningController {
  return runCrdWorker(parts, (add) => new CrdNames(parts, add), { workersMax: 1 });
}

class CrdNames {
  readonly #parts: ControllerParts;
  readonly #add: (name: string) => void;
  /** Of each CRD what {@link namesPart} leaves of it. */
  readonly #known = new Map<string, KubeObject>();

  constructor(parts: ControllerParts, add: (name: string) => void) {
    this.#parts = parts;
    this.#add = add;
  }

  take({ name, gone, crd }: CrdChange): void {
    const before = this.#known.get(name);
    if (gone) this.#known.delete(name);
    else this.#remember(name, crd);
    if (!gone && !isSettled(crd)) this.#add(name);
    if (before !== undefined && !sameNames(before, this.#known.get(name)))
      this.#lookAtWaiting(groupOf(before));
  }

  /** A name may be free now that was not before. */
  #lookAtWaiting(group: string): void {
    for (const [name, crd] of this.#known) {
      if (groupOf(crd) === group && !hasItsNames(crd)) this.#add(name);
    }
  }

  #remember(name: string, crd: KubeObject): void {
    this.#known.set(name, namesPart(crd));
  }

  async work(name: string): Promise<void> {
    const { registry, clock, signal } = this.#parts;
    const context = controllerContext('kube-apiserver', signal);
    const target = await servedTarget(registry, crdResource);
    const one = objectTargetOf(target, name, 'status');
    const crd = (await registry.get({ target: one, resourceVersion: '', context })).object();
    this.#remember(name, crd);
    let settled = settle(crd, this.#others(crd, name), clock.now());
    if (settled !== undefined && !hasItsNames(settled)) {
      // The owner of the name may have been deleted while the watch was interrupted.
      const page = await registry.listAll(target, context);
      this.#known.clear();
      for (const item of page.items) {
        const other = item.object();
        this.#remember(nameOf(other), other);
      }
      settled = settle(crd, this.#others(crd, name), clock.now());
    }
    if (settled === undefined) return;
    const { responseObject } = await registry.update({
      target: one,
      body: bodyOf(settled),
      options,
      context,
    });
    this.#remember(name, responseObject.object());
  }

  #others(crd: KubeObject, name: string): KubeObject[] {
    const group = groupOf(crd);
    const others: KubeObject[] = [];
    for (const [other, known] of this.#known) {
      if (other !== name && groupOf(known) === group) others.push(known);
    }
    return others;
  }
}

/** True if the status is up to date, as of most of the thousand CRDs that a start finds. */
function isSettled(crd: KubeObject): boolean {
  return hasItsNames(crd) && isConditionTrue(crd, 'NamesAccepted') && isConditionTrue(crd, 'Established');
}

/** What others must know of a CRD to share a group with it. */
export function namesPart(crd: KubeObject): KubeObject {
  const { group = null, names = null } = ownObject(crd, 'spec') ?? {};
  const { acceptedNames = {} } = ownObject(crd, 'status') ?? {};
  return { spec: { group, names }, status: { acceptedNames } };
}

function sameNames(a: KubeObject, b: KubeObject | undefined): boolean {
  return equal(own(a, 'status'), b && own(b, 'status'));
}

export function groupOf(crd: KubeObject): string {
  return ownString(ownObject(crd, 'spec') ?? {}, 'group') ?? '';
}

/** Upstream sets it in a second step, with a delay if there are several servers; here it follows at once. */
const initialNamesAccepted = Object.freeze({
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} satisfies CrdCondition);

const invalidCaBundle = Object.freeze({
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
} satisfies CrdCondition);

/** A CRD whose webhook cannot be trusted is not established; one that is established stays so. */
function establishedCondition(crd: KubeObject): CrdCondition {
  return isConditionTrue(crd, 'Established') || hasUsableCaBundle(crd)
    ? initialNamesAccepted
    : invalidCaBundle;
}

/** The CRD with its names and conditions as they should be; undefined where they are so already. */
export function settle(
  crd: KubeObject,
  others: readonly KubeObject[],
  nowMs: number,
): KubeObject | undefined {
  if (own(metadataOf(crd), 'deletionTimestamp') !== undefined) return undefined;
  const { acceptedNames, namesAccepted, established } = acceptNames(crd, others);
  const status = ownObject(crd, 'status') ?? {};
  const settled: KubeObject = { ...crd, status: { ...clone(status), acceptedNames } };
  setCondition(settled, namesAccepted, nowMs);
  setCondition(settled, namesAccepted.status === 'True' ? establishedCondition(crd) : established, nowMs);
  return isObject(settled['status']) && equal(settled['status'], status) ? undefined : settled;
}
