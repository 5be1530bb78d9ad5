import type { Authorizer } from '../../auth/index.ts';
import { encodeJson } from '../../codec/index.ts';
import { forbiddenError, type KubeObject, StatusError } from '../../meta/index.ts';
import { policyErrorType, type PolicyRecord } from '../admission-record.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { startTimer } from '../timed.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { matchResources } from '../matching/match-resources.ts';
import { VersionedObjects } from '../matching/versioned-objects.ts';
import type { Binding, BoundPolicy } from './live-policies.ts';
import { boundParams, namespaceSeen, type ObjectSources } from './bound-params.ts';
import { ConfigurationError } from './params.ts';
import type { PolicyVerdict, ValidatingPolicy } from './validating-policy.ts';

/** What the evaluation of policies looks at besides the write. */
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
 * @throws {StatusError} 422, or what the policy's reason stands for
 */
export async function dispatchValidatingPolicies(
  bound: readonly BoundPolicy<ValidatingPolicy>[],
  attributes: AdmissionAttributes,
  parts: PolicyParts,
): Promise<void> {
  const run = new PolicyRun(attributes, parts);
  for (const one of bound) await run.policy(one);
  const [denial] = run.denials;
  if (denial !== undefined) throw refusal(attributes, denial);
}

/** All policies for one write. */
class PolicyRun {
  readonly denials: Denial[] = [];
  readonly #attributes: AdmissionAttributes;
  readonly #parts: PolicyParts;
  readonly #objects: VersionedObjects;
  #namespace: KubeObject | undefined;

  constructor(attributes: AdmissionAttributes, parts: PolicyParts) {
    this.#attributes = attributes;
    this.#parts = parts;
    this.#objects = new VersionedObjects(attributes);
  }

  async policy({ policy, bindings }: BoundPolicy<ValidatingPolicy>): Promise<void> {
    const matchedAs = await this.#configured(policy, undefined, () =>
      matchResources(policy.match, this.#attributes, this.#parts.findNamespace),
    );
    if (matchedAs === undefined) return;
    const annotations = new Map<string, Set<string>>();
    for (const binding of bindings) {
      for (const verdict of await this.#binding(policy, binding, matchedAs))
        this.#take(verdict, { policy, binding, annotations });
    }
    for (const [key, values] of annotations)
      this.#attributes.annotate(`${policy.name}/${key}`, [...values].join(', '));
  }

  /** What the policy says, for each parameter of a binding. */
  async #binding(
    policy: ValidatingPolicy,
    binding: Binding,
    matchedAs: MatchedResource,
  ): Promise<readonly PolicyVerdict[]> {
    const params = await this.#configured(policy, binding, () =>
      boundParams(policy.paramKind, binding, { attributes: this.#attributes, sources: this.#parts }),
    );
    if (params === undefined || params.length === 0) return [];
    const { object, oldObject } = await this.#objects.in(matchedAs.kind);
    const namespaceObject = await this.#namespaceOf();
    const attributes = this.#attributes;
    const { authorizer } = this.#parts;
    const input = { attributes, matchedAs, object, oldObject, namespaceObject, authorizer };
    const verdicts: PolicyVerdict[] = [];
    for (const param of params) {
      const seconds = startTimer();
      const verdict = await policy.evaluate({ ...input, params: param });
      this.#record(verdict, { policy, binding, seconds: seconds() });
      verdicts.push(verdict);
    }
    return verdicts;
  }

  /** Undefined for what is cluster-scoped, and for a Namespace itself. */
  async #namespaceOf(): Promise<KubeObject | undefined> {
    const name = namespaceSeen(this.#attributes);
    if (name === '') return undefined;
    this.#namespace ??= await this.#parts.findNamespace(name, this.#attributes.minRevision);
    return this.#namespace;
  }

  /** A step that is undone by a wrong configuration: a denial, unless the policy fails open. */
  async #configured<T>(
    policy: ValidatingPolicy,
    binding: Binding | undefined,
    step: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error;
      if (policy.failsOpen) return undefined;
      const what = binding === undefined ? 'policy' : 'binding';
      this.#deny(policy, binding, { message: `failed to configure ${what}: ${error.message}`, reason: '' });
      return undefined;
    }
  }

  /** Upstream times each validation; here they share the time of the policy. */
  #record(
    { passed, failures }: PolicyVerdict,
    of: { readonly policy: ValidatingPolicy; readonly binding: Binding; readonly seconds: number },
  ): void {
    const seconds = of.seconds / Math.max(passed + failures.length, 1);
    const head = {
      what: 'policy',
      kind: 'validating',
      name: of.policy.name,
      binding: of.binding.name,
    } as const;
    const fine = { ...head, action: 'allow', errorType: 'no_error', message: '', seconds } as const;
    for (let count = 0; count < passed; count += 1) this.#attributes.record(fine);
    for (const { message, reason } of failures) {
      const errorType = reason === '' ? policyErrorType(message) : 'no_error';
      for (const action of of.binding.actions) {
        const did = recordedActions.get(action);
        if (did !== undefined) this.#attributes.record({ ...head, action: did, errorType, message, seconds });
      }
    }
  }

  #take(
    { failures, annotations, annotationErrors }: PolicyVerdict,
    to: {
      readonly policy: ValidatingPolicy;
      readonly binding: Binding;
      readonly annotations: Map<string, Set<string>>;
    },
  ): void {
    const { policy, binding } = to;
    for (const failure of failures) {
      for (const action of binding.actions) this.#act(action, failure, { policy, binding });
    }
    for (const { key, value } of annotations) {
      const values = to.annotations.get(key) ?? new Set();
      to.annotations.set(key, values.add(value.slice(0, annotationCharsMax)));
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

/** Upstream says "is forbidden" whatever the reason is. */
function refusal({ resource, name }: AdmissionAttributes, { message, reason }: Denial): StatusError {
  const { status } = forbiddenError(resource, name, message);
  const why = reason === '' ? 'Invalid' : reason;
  return new StatusError({
    code: codes.get(why) ?? 422,
    reason: why,
    message: status.message ?? message,
    details: { ...status.details, causes: [{ message }] },
  });
}
