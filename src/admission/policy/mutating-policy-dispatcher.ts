import {
  equal,
  goQuote,
  type KubeObject,
  nameOf,
  namespaceOf,
  notFoundError,
  StatusError,
} from '../../meta/index.ts';
import { policyErrorType } from '../admission-record.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { type ExpressionInput, WriteValues } from '../expressions/evaluator.ts';
import { InvocationRecord } from '../invocation-record.ts';
import { matchResources } from '../matching/match-resources.ts';
import { isSameKind, VersionedObjects } from '../matching/versioned-objects.ts';
import { startTimer } from '../timed.ts';
import { boundParams, namespaceSeen } from './bound-params.ts';
import type { Binding, BoundPolicy } from './live-policies.ts';
import type { Mutation, MutatingPolicy } from './mutating-policy.ts';
import { ConfigurationError, FoundParams, requireServed } from './params.ts';
import { MutationError } from './patches/patch-kind.ts';
import type { PolicyParts } from './validating-policy-dispatcher.ts';
import { forbiddenWrite } from '../forbidden-write.ts';

/** A policy to evaluate for a binding and a parameter. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: Binding;
  readonly matchedAs: MatchedResource;
  readonly param: KubeObject | undefined;
}

/** A reason to refuse a write. */
interface Denial {
  readonly policy: MutatingPolicy;
  readonly binding: Binding | undefined;
  readonly message: string;
  readonly reason: string;
}

/**
 * Evaluates the mutating policies one after the other, each on the result of the previous one. Matching is decided
 * before the first change. Source: apiserver, policy/generic/policy_dispatcher.go and policy/mutating/dispatcher.go.
 *
 * @throws {StatusError} 403 if one fails and does not fail open
 */
export async function dispatchMutatingPolicies(
  bound: readonly BoundPolicy<MutatingPolicy>[],
  attributes: AdmissionAttributes,
  parts: PolicyParts,
): Promise<void> {
  const run = new MutationRun(attributes, parts);
  for (const one of bound) await run.match(one);
  await run.mutate();
  const denials = run.denials.filter(({ policy }) => !policy.failsOpen);
  if (denials.length > 0) throw refusal(attributes, denials);
}

/** All mutating policies for one write, in one round. */
class MutationRun {
  readonly denials: Denial[] = [];
  readonly #attributes: AdmissionAttributes;
  readonly #parts: PolicyParts;
  readonly #record: InvocationRecord;
  readonly #invocations: Invocation[] = [];
  readonly #values: WriteValues;
  readonly #found: FoundParams;
  #namespace: KubeObject | undefined;
  #isDirty = false;

  constructor(attributes: AdmissionAttributes, parts: PolicyParts) {
    this.#attributes = attributes;
    this.#parts = parts;
    this.#found = new FoundParams(parts.params);
    this.#values = new WriteValues(attributes, parts.authorizer);
    this.#record = attributes.reinvocation.valueOf('MutatingAdmissionPolicy', () => new InvocationRecord());
  }

  async match({ policy, bindings }: BoundPolicy<MutatingPolicy>): Promise<void> {
    const { findNamespace } = this.#parts;
    const matchedAs = await this.#configured(policy, undefined, async () => {
      const matched = await matchResources(policy.match, this.#attributes, findNamespace);
      if (matched !== undefined) requireServed(policy.paramKind, this.#found);
      return matched;
    });
    if (matchedAs === undefined) return;
    for (const binding of bindings) {
      const from = { attributes: this.#attributes, sources: this.#parts, found: this.#found };
      const found = await this.#configured(policy, binding, () =>
        boundParams(policy.paramKind, binding, from),
      );
      for (const param of found ?? []) this.#invocations.push({ policy, binding, matchedAs, param });
    }
  }

  /** Converts a configuration error of a step to a denial. */
  async #configured<T>(
    policy: MutatingPolicy,
    binding: Binding | undefined,
    step: () => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error;
      const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
      this.denials.push({ policy, binding, message, reason: '' });
      return undefined;
    }
  }

  /** @throws {StatusError} 404 for a missing namespace, 500 if a conversion webhook fails */
  async mutate(): Promise<void> {
    if (this.#invocations.length === 0) return;
    const { reinvocation, object } = this.#attributes;
    if (reinvocation.isReinvoke) this.#record.requireWhereChanged(object);
    this.#namespace = await this.#findNamespace();
    for (const invocation of this.#invocations) await this.#invoke(invocation);
    // As upstream, a mutation without changes counts as well.
    if (this.#isDirty) this.#noteChange();
    this.#record.noteOutput(this.#attributes.object);
  }

  async #findNamespace(): Promise<KubeObject | undefined> {
    const name = namespaceSeen(this.#attributes);
    if (name === '') return undefined;
    const found = await this.#parts.findNamespace(name, this.#attributes.minRevision);
    if (found === undefined) throw notFoundError({ group: '', resource: 'namespaces' }, name);
    return found;
  }

  #noteChange(): void {
    this.#record.requirePrevious();
    this.#attributes.reinvocation.want();
  }

  async #invoke(invocation: Invocation): Promise<void> {
    const { policy, binding } = invocation;
    const input = await this.#inputOf(invocation);
    const matched = await policy.matches(input);
    if ('error' in matched) {
      this.denials.push({ policy, binding, message: matched.error, reason: 'Invalid' });
      return;
    }
    const key = keyOf(invocation);
    if (!matched.matches || (this.#attributes.reinvocation.isReinvoke && !this.#record.isDue(key))) return;
    if (await this.#mutateBy(invocation, input)) this.#noteChange();
    if (policy.isReinvoked) this.#record.noteInvoked(key);
  }

  async #inputOf({ matchedAs, param }: Invocation): Promise<ExpressionInput> {
    const attributes = this.#attributes;
    const pair = await new VersionedObjects(attributes).in(matchedAs.kind);
    const { object, oldObject } = pair;
    const request = this.#values.as(matchedAs);
    return { request, object, oldObject, namespaceObject: this.#namespace, params: param };
  }

  /** Applies the mutations of a policy in order; true if they changed the object. */
  async #mutateBy(invocation: Invocation, input: ExpressionInput): Promise<boolean> {
    let { object } = input;
    if (object === undefined) return false;
    for (const mutation of invocation.policy.mutations) {
      object = (await this.#mutated(invocation, mutation, { ...input, object })) ?? object;
    }
    const isChanged = !equal(object, input.object);
    if (isChanged) await this.#take(object, invocation.matchedAs);
    return isChanged;
  }

  /** Undefined if the mutation failed. */
  async #mutated(
    { policy, binding, matchedAs }: Invocation,
    mutation: Mutation,
    input: ExpressionInput & { readonly object: KubeObject },
  ): Promise<KubeObject | undefined> {
    const { conversions } = this.#attributes;
    const seconds = startTimer();
    const record = (message: string) =>
      this.#attributes.record({
        what: 'policy',
        kind: 'mutating',
        name: policy.name,
        binding: binding.name,
        action: message === '' || policy.failsOpen ? 'allow' : 'deny',
        errorType: message === '' ? 'no_error' : policyErrorType(message),
        message,
        seconds: seconds(),
        times: 1,
        of: binding,
      });
    try {
      const target = { object: input.object, mergeType: () => conversions.mergeType(matchedAs.kind) };
      const mutated = await policy.mutate(mutation, input, target);
      if (mutated !== input.object) conversions.complete(mutated, matchedAs.kind);
      this.#isDirty = true;
      record('');
      return mutated;
    } catch (error) {
      if (!(error instanceof MutationError)) throw error;
      record(error.message);
      this.denials.push({ policy, binding, message: error.message, reason: 'Invalid' });
      return undefined;
    }
  }

  /** Converts the result of a policy for another version back to the version of the request. */
  async #take(object: KubeObject, { kind }: MatchedResource): Promise<void> {
    const attributes = this.#attributes;
    const isSame = isSameKind(kind, attributes.kind);
    attributes.replaceObject(isSame ? object : await attributes.conversions.convert(object, attributes.kind));
  }
}

function keyOf({ policy, binding, param }: Invocation): string {
  const of = param === undefined ? '' : `${namespaceOf(param)}/${nameOf(param)}`;
  return `${policy.name} ${binding.name} ${of}`;
}

/** The first denial determines message and reason; all are causes. */
function refusal(attributes: AdmissionAttributes, denials: readonly Denial[]): StatusError {
  const causes = denials.map((denial) => ({ message: textOf(denial) }));
  const message = causes[0]?.message ?? '';
  const { status } = forbiddenWrite(attributes, message);
  const reason = denials[0]?.reason ?? '';
  return new StatusError({
    code: status.code,
    reason: reason === '' ? 'Forbidden' : reason,
    message,
    details: { ...status.details, causes },
  });
}

function textOf({ policy, binding, message }: Denial): string {
  return binding === undefined
    ? `policy ${goQuote(policy.name)} denied request: ${message}`
    : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`;
}
