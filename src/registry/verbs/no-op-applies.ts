import { createHash } from 'node:crypto';
import type { ViewEntry } from '../../cache/index.ts';
import { type KubeObject, limits } from '../../meta/index.ts';
import type { ApplyRequest } from './apply.ts';
import type { AppliedParts, NoOpApply } from '../representation/no-op-apply.ts';
import { appliedParts } from './keep-no-op-applies.ts';
import type { Warnings } from '../request/context.ts';
import {
  type Representation,
  type Representations,
  representationOf,
} from '../representation/representation.ts';
import { scopeOf } from '../write/admission-attributes.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import { isPrepared } from '../representation/prepare-representations.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';

/**
 * Recognizes applies that change nothing, because the same apply just had no effect.
 *
 * Most applies are repetitions: tools that sync a cluster with a repository send the same configurations again and
 * again. The result of an apply depends on the stored object, the type, the request and admission. It does not depend
 * on time or chance: the times of managers move only with a change, and no rule can read the clock. So the same
 * request on the same revision and type has the same response. Transition rules have compared the same two objects
 * then; refused applies are not cached.
 *
 * The cache is kept with the representation of the object in the live view: a later write drops it, unless it does
 * not touch the parts that the apply depends on, and so does a change of the CRD. It is not used while a plugin
 * handles updates of the resource.
 */
export class NoOpApplies {
  readonly #parts: RegistryParts;
  readonly #request: ApplyRequest;
  readonly #epoch: number;
  #digest: string | undefined;
  #looksAt: AppliedParts | undefined;

  constructor(parts: RegistryParts, request: ApplyRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#epoch = request.target.resource.epoch;
  }

  /** The response to an apply known to have no effect; its warnings have been added then. */
  recall(present: ViewEntry<Representations>): ResponseObject | undefined {
    const { target, context } = this.#request;
    const { admission } = this.#parts;
    if (admission.handles(scopeOf(target, 'UPDATE', target.endpoint))) return undefined;
    const form = representationOf(present, target);
    const known = form.noOpApplies?.find(
      (one) => one.admission === admission && one.digest === this.#requestDigest(),
    );
    if (known === undefined) return undefined;
    remember(form, known);
    context.warnings.add(...known.warnings);
    return renderEntry(present, target);
  }

  /** Called with the configuration when it has been decoded. */
  looksAt(configuration: KubeObject): void {
    const { target, context } = this.#request;
    const { fieldManager } = context;
    this.#looksAt = appliedParts(configuration, { fieldManager, endpoint: target.endpoint });
  }

  #requestDigest(): string {
    this.#digest ??= digestOf(this.#request);
    return this.#digest;
  }

  /**
   * Caches a successful apply that changed nothing. After an attempt that lost to another writer, nothing is cached:
   * the entry is no longer the view's, and the warnings include those of that attempt.
   */
  note(present: ViewEntry<Representations>, responseObject: ResponseObject, warnings: Warnings): void {
    const { target } = this.#request;
    if (target.resource.epoch !== this.#epoch || !isPrepared(present, target)) return;
    // The next apply is answered with what is decoded from storage.
    if (!responseObject.bytes().equals(renderEntry(present, target).bytes())) return;
    const { admission } = this.#parts;
    const digest = this.#requestDigest();
    const idle = { digest, admission, warnings: warnings.list(), parts: this.#looksAt };
    remember(representationOf(present, target), idle);
  }
}

/** Most recent first. */
function remember(form: Representation, idle: NoOpApply): void {
  const [latest] = form.noOpApplies ?? [];
  if (latest === idle) return;
  const others = (form.noOpApplies ?? []).filter(
    ({ digest, admission }) => digest !== idle.digest || admission !== idle.admission,
  );
  form.noOpApplies = [idle, ...others].slice(0, limits.idleAppliesMax);
}

/**
 * Distinguishes requests about one object by everything that an apply depends on. The head is a JSON list, so the
 * start of the body is unambiguous.
 */
function digestOf({ target, bytes, options, context }: ApplyRequest): string {
  const { force, fieldValidation, dryRun } = options;
  const { user, fieldManager } = context;
  const head = JSON.stringify([fieldManager, force, fieldValidation, dryRun, target.endpoint, user]);
  return createHash('sha256').update(head).update(bytes).digest('base64');
}
