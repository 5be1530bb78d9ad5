import {
  apiApprovalCondition,
  type CrdCondition,
  type CrdConditionType,
  findCondition,
  hasCondition,
  isConditionTrue,
  nonStructuralSchemaCondition,
  removeCondition,
  setCondition,
} from '../crd/index.ts';
import { clone, type KubeObject, metadataOf, metadataString, own, ownObject } from '../meta/index.ts';
import { bodyOf, controllerContext, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { type CrdChange, crdResource } from './crd-feed.ts';
import { FrozenFieldReports } from './frozen-field-reports.ts';
import type { RunningController } from './idle-state.ts';
import { runCrdWorker } from './crd-work.ts';

const options = { dryRun: false, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore' } as const;

/**
 * Tells in the status of a CRD whether its API was approved, whether its schemas are structural, and how many objects
 * hold fields that its feature gates freeze.
 * Source: apiextensions-apiserver, pkg/controller/apiapproval and pkg/controller/nonstructuralschema.
 */
export function runCrdConditions(parts: ControllerParts): RunningController {
  return runCrdWorker(parts, (add) => new CrdConditions(parts, add));
}

class CrdConditions {
  readonly #parts: ControllerParts;
  readonly #add: (name: string) => void;
  readonly #structure = new StructureReports();
  readonly #frozen = new FrozenFieldReports();

  constructor(parts: ControllerParts, add: (name: string) => void) {
    this.#parts = parts;
    this.#add = add;
  }

  take({ name, gone, initial, crd }: CrdChange): void {
    if (gone) {
      this.#frozen.forget(name);
      return this.#structure.forget(name);
    }
    // This server establishes only structural schemas, and other writers of CRDs set the condition themselves.
    const settled =
      isConditionTrue(crd, 'Established') && findCondition(crd, 'NonStructuralSchema') === undefined;
    if (initial && settled) this.#structure.remember(name, crd, undefined);
    const ours = { ...crd, status: clone(ownObject(crd, 'status') ?? {}) };
    if (this.#described(name, ours) !== undefined || this.#frozen.of(name, crd) === undefined) {
      this.#add(name);
    }
  }

  async work(name: string): Promise<void> {
    const { registry, signal } = this.#parts;
    const context = controllerContext('kube-apiserver', signal);
    const target = objectTargetOf(await servedTarget(registry, crdResource), name, 'status');
    const crd = (await registry.get({ target, resourceVersion: '', context })).object();
    if (this.#frozen.of(name, crd) === undefined) await this.#frozen.count(name, crd, this.#parts);
    const wanted = this.#described(name, crd);
    if (wanted !== undefined) await registry.update({ target, body: bodyOf(wanted), options, context });
  }

  /** The CRD with its conditions as they should be, which may be the argument; undefined where they are so already. */
  #described(name: string, crd: KubeObject): KubeObject | undefined {
    if (own(metadataOf(crd), 'deletionTimestamp') !== undefined) return undefined;
    const nowMs = this.#parts.clock.now();
    const approval = settle(crd, 'KubernetesAPIApprovalPolicyConformant', apiApprovalCondition(crd), nowMs);
    const structure = settle(crd, 'NonStructuralSchema', this.#structure.of(name, crd), nowMs);
    const frozen = this.#frozen.of(name, crd);
    const fields = frozen !== undefined && settle(crd, 'FieldsFrozen', frozen.condition, nowMs);
    return approval || structure || fields ? crd : undefined;
  }
}

/** Puts a condition into a CRD, or takes it out; false where it is so already. */
function settle(
  crd: KubeObject,
  type: CrdConditionType,
  condition: CrdCondition | undefined,
  nowMs: number,
): boolean {
  const stands =
    condition === undefined ? findCondition(crd, type) === undefined : hasCondition(crd, condition);
  if (stands) return false;
  if (condition === undefined) removeCondition(crd, type);
  else setCondition(crd, condition, nowMs);
  return true;
}

/** The condition `NonStructuralSchema` of each CRD: most changes do not touch the spec, and schemas are large. */
class StructureReports {
  readonly #known = new Map<
    string,
    { readonly state: string; readonly condition: CrdCondition | undefined }
  >();

  of(name: string, crd: KubeObject): CrdCondition | undefined {
    const known = this.#known.get(name);
    if (known?.state === stateOf(crd)) return known.condition;
    const condition = nonStructuralSchemaCondition(crd);
    this.remember(name, crd, condition);
    return condition;
  }

  remember(name: string, crd: KubeObject, condition: CrdCondition | undefined): void {
    this.#known.set(name, { state: stateOf(crd), condition });
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}

/** The generation moves with the spec. */
function stateOf(crd: KubeObject): string {
  return `${metadataString(crd, 'uid')} ${String(own(metadataOf(crd), 'generation'))}`;
}
