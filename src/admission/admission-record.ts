import type { Operation } from './attributes.ts';

/** `admit` before validation, `validate` after it. */
export type AdmissionPhase = 'admit' | 'validate';

/** A call of all plugins, or of one of them, for a write. */
interface PluginRecord {
  readonly what: 'step' | 'plugin';
  /** Empty for the whole step. */
  readonly name: string;
  readonly phase: AdmissionPhase;
  readonly operation: Operation;
  readonly rejected: boolean;
  readonly seconds: number;
}

/** A call of a webhook. */
interface WebhookRecord {
  readonly what: 'webhook';
  readonly name: string;
  readonly phase: AdmissionPhase;
  readonly operation: Operation;
  readonly outcome: 'allowed' | 'denied' | 'failed' | 'failed open';
  /** The code of the answer; 503, as upstream, if there was no answer. */
  readonly code: number;
  /** The reason of the denial or failure. */
  readonly message: string;
  readonly seconds: number;
}

/** An evaluation of the match conditions of a webhook or a policy. */
export interface ConditionsRecord {
  readonly what: 'match conditions';
  readonly of: 'webhook' | 'policy';
  /** The name of the webhook or the policy. */
  readonly name: string;
  readonly phase: AdmissionPhase;
  readonly operation: Operation;
  readonly outcome: 'met' | 'not met' | 'failed';
  /** The number of failed conditions before the first false one. */
  readonly errors: number;
  /** Whether the webhook was skipped. */
  readonly isExcluded: boolean;
  /** The reasons of the failures. */
  readonly message: string;
  readonly seconds: number;
}

/** The reason why the evaluation of a policy failed. */
type PolicyErrorType = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

/** An evaluation of a policy for a binding: one for each validation or mutation, and each parameter. */
export interface PolicyRecord {
  readonly what: 'policy';
  readonly kind: 'validating' | 'mutating';
  readonly name: string;
  readonly binding: string;
  readonly action: 'allow' | 'deny' | 'warn' | 'audit';
  readonly errorType: PolicyErrorType;
  readonly message: string;
  /** The duration of one evaluation. */
  readonly seconds: number;
  /** The number of validations or mutations with this result. */
  readonly times: number;
  /** An object that stands for the names of policy and binding: it has no others as long as it lives. */
  readonly of: object;
}

/** A step of admission on a write, for metrics and logs. */
export type AdmissionRecord = PluginRecord | WebhookRecord | ConditionsRecord | PolicyRecord;

export type AdmissionObserver = (record: AdmissionRecord) => void;

/** Upstream's type of an error. Source: apiserver, policy/validating/metrics/errors.go. */
export function policyErrorType(message: string): PolicyErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  const isSpent = message.startsWith('validation failed due to running out of cost budget');
  return isSpent ? 'out_of_budget' : 'invalid_error';
}
