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
 * Knows that an apply changes nothing, because the very same one just did not.
 *
 * Most applies are repetitions: whoever keeps a cluster as a repository says it should be sends the same
 * configurations over and over. What comes of one follows from the stored object, the type, the request and the
 * verdicts of admission. The clock and chance have no say: times of managers move only with a change, and no rule can
 * ask what time it is. So the answer to the same request about the same revision of the same type is the answer given
 * before. Rules about transitions have seen the very same two objects then; one that refused left no memory.
 *
 * The memory lies with the form of the object in the live view: the next write drops it, unless that is beside all that
 * the apply looks at, and so does a change of the CRD.
 * Nothing is recalled while a plugin is asked about updates of the resource.
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

  /** The answer to an apply that is known to change nothing; it has given its warnings then. */
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

  /** Told of the configuration when it has been decoded. */
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
   * Remembers an apply that went through and changed nothing. After an attempt that was overtaken, nothing sticks: the
   * entry is not the view's then, and the warnings of that attempt stand among the others.
   */
  note(present: ViewEntry<Representations>, responseObject: ResponseObject, warnings: Warnings): void {
    const { target } = this.#request;
    if (target.resource.epoch !== this.#epoch || !isPrepared(present, target)) return;
    // What is read back is what the next one will be shown.
    if (!responseObject.bytes().equals(renderEntry(present, target).bytes())) return;
    const { admission } = this.#parts;
    const digest = this.#requestDigest();
    const idle = { digest, admission, warnings: warnings.list(), parts: this.#looksAt };
    remember(representationOf(present, target), idle);
  }
}

/** The most recent ones come first. */
function remember(form: Representation, idle: NoOpApply): void {
  const [latest] = form.noOpApplies ?? [];
  if (latest === idle) return;
  const others = (form.noOpApplies ?? []).filter(
    ({ digest, admission }) => digest !== idle.digest || admission !== idle.admission,
  );
  form.noOpApplies = [idle, ...others].slice(0, limits.idleAppliesMax);
}

/**
 * Tells requests about one object apart by all that an apply looks at. The head is a JSON list, so it says itself where
 * the body starts.
 */
function digestOf({ target, bytes, options, context }: ApplyRequest): string {
  const { force, fieldValidation, dryRun } = options;
  const { user, fieldManager } = context;
  const head = JSON.stringify([fieldManager, force, fieldValidation, dryRun, target.endpoint, user]);
  return createHash('sha256').update(head).update(bytes).digest('base64');
}
