import { performance } from 'node:perf_hooks';
import type { Authorizer } from '../../auth/index.ts';
import { encodeJson } from '../../codec/index.ts';
import { type KubeObject, StatusError } from '../../meta/index.ts';
import { policyErrorType, type PolicyRecord } from '../admission-record.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { type ExpressionInput, WriteValues } from '../expressions/evaluator.ts';
import { matchResources } from '../matching/match-resources.ts';
import { type ObjectPair, VersionedObjects } from '../matching/versioned-objects.ts';
import type { Binding, BoundPolicy } from './live-policies.ts';
import { boundParams, namespaceSeen, type ObjectSources } from './bound-params.ts';
import { ConfigurationError, FoundParams, requireServed } from './params.ts';
import type { PolicyVerdict, ValidatingPolicy } from './validating-policy.ts';
import { forbiddenWrite } from '../forbidden-write.ts';

/** The dependencies of policy evaluation, besides the write. */
export interface PolicyParts extends ObjectSources {
  readonly authorizer: Authorizer;
}

/** A reason to refuse a write. */
interface Denial {
  readonly message: string;
  readonly reason: string;
}

/**
 * Evaluates the validating policies; the first denial refuses the write.
 * Source: apiserver, policy/validating/dispatcher.go.
 *
 * @throws {StatusError} 422, or the code of the policy's reason
 */
export async function dispatchValidatingPolicies(
  bound: readonly BoundPolicy<ValidatingPolicy>[],
  attributes: AdmissionAttributes,
  parts: PolicyParts,
): Promise<void> {
  const run = new PolicyRun(attributes, parts);
  for (const one of bound) {
    const evaluating = run.policy(one);
    if (evaluating !== undefined) await evaluating;
  }
  const [denial] = run.denials;
  if (denial !== undefined) throw refusal(attributes, denial);
}

type Params = readonly (KubeObject | undefined)[] | undefined;

/** A policy that matches the write. */
interface MatchedPolicy {
  readonly policy: ValidatingPolicy;
  readonly matchedAs: MatchedResource;
  /** The audit annotations of all its evaluations, by key; made with the first. */
  annotations: Map<string, Set<string>> | undefined;
}

/** All validating policies for one write. */
class PolicyRun {
  readonly denials: Denial[] = [];
  readonly #attributes: AdmissionAttributes;
  readonly #parts: PolicyParts;
  readonly #objects: VersionedObjects;
  readonly #values: WriteValues;
  readonly #found: FoundParams;
  /** Null for cluster-scoped objects; undefined until the first use. */
  #namespace: KubeObject | null | undefined;

  constructor(attributes: AdmissionAttributes, parts: PolicyParts) {
    this.#attributes = attributes;
    this.#parts = parts;
    this.#found = new FoundParams(parts.params);
    this.#objects = new VersionedObjects(attributes);
    this.#values = new WriteValues(attributes, parts.authorizer);
  }

  /** Undefined if nothing had to be waited for, as usual after the first policy of a write. */
  policy({ policy, bindings }: BoundPolicy<ValidatingPolicy>): Promise<void> | undefined {
    const matching = this.#configured(policy, undefined, () =>
      matchResources(policy.match, this.#attributes, this.#parts.findNamespace),
    );
    if (matching instanceof Promise)
      return matching.then((matchedAs) => this.#matched({ policy, bindings }, matchedAs));
    return this.#matched({ policy, bindings }, matching);
  }

  #matched(
    { policy, bindings }: BoundPolicy<ValidatingPolicy>,
    matchedAs: MatchedResource | undefined,
  ): Promise<void> | undefined {
    if (matchedAs === undefined || !this.#isServed(policy)) return undefined;
    return this.#bindings({ policy, matchedAs, annotations: undefined }, bindings);
  }

  /** Whether the kind of its parameters is served. */
  #isServed(policy: ValidatingPolicy): boolean {
    if (policy.paramKind === undefined) return true;
    const check = () => {
      requireServed(policy.paramKind, this.#found);
      return true;
    };
    return this.#configured(policy, undefined, check) === true;
  }

  /** Evaluates the policy for its bindings, one after the other. */
  #bindings(matched: MatchedPolicy, bindings: readonly Binding[], from = 0): Promise<void> | undefined {
    for (let index = from; index < bindings.length; index += 1) {
      const binding = bindings[index];
      const evaluating = binding && this.#binding(matched, binding);
      if (evaluating !== undefined)
        return evaluating.then(() => this.#bindings(matched, bindings, index + 1));
    }
    const { policy, annotations } = matched;
    if (annotations === undefined) return undefined;
    for (const [key, values] of annotations)
      this.#attributes.annotate(`${policy.name}/${key}`, [...values].join(', '));
    return undefined;
  }

  #binding(matched: MatchedPolicy, binding: Binding): Promise<void> | undefined {
    const { policy } = matched;
    const from = { attributes: this.#attributes, sources: this.#parts, found: this.#found };
    const params = this.#configured(policy, binding, () => boundParams(policy.paramKind, binding, from));
    if (params instanceof Promise) return params.then((found) => this.#withParams(matched, binding, found));
    return this.#withParams(matched, binding, params);
  }

  /** Evaluates the policy for each parameter of a binding. */
  #withParams(matched: MatchedPolicy, binding: Binding, params: Params): Promise<void> | undefined {
    if (params === undefined || params.length === 0) return undefined;
    const objects = this.#objects.in(matched.matchedAs.kind);
    if (objects instanceof Promise || this.#namespace === undefined)
      return this.#prepared(matched, binding, { params, objects });
    return this.#evaluate(matched, binding, { params, objects });
  }

  async #prepared(
    matched: MatchedPolicy,
    binding: Binding,
    { params, objects }: { readonly params: Params; readonly objects: ObjectPair | Promise<ObjectPair> },
  ): Promise<void> {
    const known = { params, objects: await objects };
    this.#namespace ??= await this.#findNamespace();
    await this.#evaluate(matched, binding, known);
  }

  #evaluate(
    matched: MatchedPolicy,
    binding: Binding,
    { params = [], objects }: { readonly params: Params; readonly objects: ObjectPair },
  ): Promise<void> | undefined {
    const { object, oldObject } = objects;
    const request = this.#values.as(matched.matchedAs);
    const namespaceObject = this.#namespace ?? undefined;
    let waiting: Promise<void> | undefined;
    for (const param of params) {
      const once = () =>
        this.#once(matched, binding, { request, object, oldObject, namespaceObject, params: param });
      waiting = waiting === undefined ? once() : waiting.then(once);
    }
    return waiting;
  }

  /** Evaluates the policy for one parameter. */
  #once(matched: MatchedPolicy, binding: Binding, input: ExpressionInput): Promise<void> | undefined {
    const startMs = performance.now();
    const evaluated = matched.policy.evaluate(input);
    if (evaluated instanceof Promise)
      return evaluated.then((verdict) => this.#decided(verdict, matched, { binding, startMs }));
    this.#decided(evaluated, matched, { binding, startMs });
    return undefined;
  }

  #decided(
    verdict: PolicyVerdict,
    matched: MatchedPolicy,
    { binding, startMs }: { readonly binding: Binding; readonly startMs: number },
  ): void {
    const seconds = (performance.now() - startMs) / 1_000;
    this.#record(verdict, { policy: matched.policy, binding, seconds });
    const { failures, annotations, annotationErrors } = verdict;
    const isSilent = failures.length + annotations.length + annotationErrors.length === 0;
    if (!isSilent) this.#take(verdict, matched, binding);
  }

  /** Null for cluster-scoped objects, and for Namespaces. */
  async #findNamespace(): Promise<KubeObject | null> {
    const name = namespaceSeen(this.#attributes);
    if (name === '') return null;
    return (await this.#parts.findNamespace(name, this.#attributes.minRevision)) ?? null;
  }

  /** Converts a configuration error of a step to a denial, unless the policy fails open. */
  #configured<T>(
    policy: ValidatingPolicy,
    binding: Binding | undefined,
    step: () => T | Promise<T>,
  ): T | undefined | Promise<T | undefined> {
    const failed = (error: unknown): undefined => {
      if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error;
      if (policy.failsOpen) return;
      const what = binding === undefined ? 'policy' : 'binding';
      this.#deny(policy, binding, { message: `failed to configure ${what}: ${error.message}`, reason: '' });
    };
    try {
      const done = step();
      return done instanceof Promise ? done.catch(failed) : done;
    } catch (error) {
      return failed(error);
    }
  }

  /** Upstream times each validation; here they share the policy's time. */
  #record(
    { passed, failures }: PolicyVerdict,
    of: { readonly policy: ValidatingPolicy; readonly binding: Binding; readonly seconds: number },
  ): void {
    const seconds = of.seconds / Math.max(passed + failures.length, 1);
    const { policy, binding } = of;
    const record = (said: Pick<PolicyRecord, 'action' | 'errorType' | 'message' | 'times'>) =>
      this.#attributes.record({
        what: 'policy',
        kind: 'validating',
        name: policy.name,
        binding: binding.name,
        action: said.action,
        errorType: said.errorType,
        message: said.message,
        seconds,
        times: said.times,
        of: binding,
      });
    if (passed > 0) record({ action: 'allow', errorType: 'no_error', message: '', times: passed });
    if (failures.length === 0) return;
    for (const { message, reason } of failures) {
      const errorType = reason === '' ? policyErrorType(message) : 'no_error';
      for (const action of binding.actions) {
        const did = recordedActions.get(action);
        if (did !== undefined) record({ action: did, errorType, message, times: 1 });
      }
    }
  }

  #take(
    { failures, annotations, annotationErrors }: PolicyVerdict,
    matched: MatchedPolicy,
    binding: Binding,
  ): void {
    const { policy } = matched;
    for (const failure of failures) {
      for (const action of binding.actions) this.#act(action, failure, { policy, binding });
    }
    for (const { key, value } of annotations) {
      const all = (matched.annotations ??= new Map());
      all.set(key, (all.get(key) ?? new Set()).add(value.slice(0, annotationCharsMax)));
    }
    for (const message of annotationErrors) this.#deny(policy, binding, { message, reason: '' });
  }

  #act(
    action: string,
    failure: PolicyVerdict['failures'][number],
    { policy, binding }: { readonly policy: ValidatingPolicy; readonly binding: Binding },
  ): void {
    const { message, index } = failure;
    switch (action) {
      case 'Deny':
        return this.#deny(policy, binding, failure);
      case 'Warn':
        return this.#attributes.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
        );
      case 'Audit': {
        const value = {
          message,
          policy: binding.policyName,
          binding: binding.name,
          expressionIndex: index,
          validationActions: [...binding.actions],
        };
        const key = 'validation.policy.admission.k8s.io/validation_failure';
        return this.#attributes.annotate(key, encodeJson([value]).toString());
      }
      default:
    }
  }

  #deny(policy: ValidatingPolicy, binding: Binding | undefined, { message, reason }: Denial): void {
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    this.denials.push({
      message: `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`,
      reason,
    });
  }
}

const recordedActions: ReadonlyMap<string, PolicyRecord['action']> = new Map([
  ['Deny', 'deny'],
  ['Warn', 'warn'],
  ['Audit', 'audit'],
]);

const annotationCharsMax = 10 * 1024;

const codes: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
  ['Invalid', 422],
]);

/** Upstream's message is "is forbidden" for every reason. */
function refusal(attributes: AdmissionAttributes, { message, reason }: Denial): StatusError {
  const { status } = forbiddenWrite(attributes, message);
  const why = reason === '' ? 'Invalid' : reason;
  return new StatusError({
    code: codes.get(why) ?? 422,
    reason: why,
    message: status.message ?? message,
    details: { ...status.details, causes: [{ message }] },
  });
}
