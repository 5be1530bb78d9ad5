import type { Operation } from './attributes.ts';

/** `admit` before validation, `validate` after it. */
export type AdmissionPhase = 'admit' | 'validate';

/** That all plugins, or one of them, were asked about a write. */
interface PluginRecord {
  readonly what: 'step' | 'plugin';
  /** Empty for a step. */
  readonly name: string;
  readonly phase: AdmissionPhase;
  readonly operation: Operation;
  readonly rejected: boolean;
  readonly seconds: number;
}

/** That a webhook was asked. */
interface WebhookRecord {
  readonly what: 'webhook';
  readonly name: string;
  readonly phase: AdmissionPhase;
  readonly operation: Operation;
  readonly outcome: 'allowed' | 'denied' | 'failed' | 'failed open';
  /** Of the answer, or what upstream counts a failure as: 503 where there was no answer. */
  readonly code: number;
  /** Why it was denied or failed. */
  readonly message: string;
  readonly seconds: number;
}

/** That the match conditions of a webhook or a policy were evaluated. */
export interface ConditionsRecord {
  readonly what: 'match conditions';
  readonly of: 'webhook' | 'policy';
  /** Of the webhook or the policy. */
  readonly name: string;
  readonly phase: AdmissionPhase;
  readonly operation: Operation;
  readonly outcome: 'met' | 'not met' | 'failed';
  /** How many conditions failed before one was false. */
  readonly errors: number;
  /** Whether the webhook was left out. */
  readonly isExcluded: boolean;
  /** Why they failed. */
  readonly message: string;
  readonly seconds: number;
}

/** Why the evaluation of a policy said nothing. */
type PolicyErrorType = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

/** That a policy was evaluated for a binding: once for each validation or mutation, and each parameter. */
export interface PolicyRecord {
  readonly what: 'policy';
  readonly kind: 'validating' | 'mutating';
  readonly name: string;
  readonly binding: string;
  readonly action: 'allow' | 'deny' | 'warn' | 'audit';
  readonly errorType: PolicyErrorType;
  readonly message: string;
  /** Of one evaluation. */
  readonly seconds: number;
  /** How many validations or mutations it was the same for. */
  readonly times: number;
}

/** Something that admission did about a write, for metrics and for those who ask why. */
export type AdmissionRecord = PluginRecord | WebhookRecord | ConditionsRecord | PolicyRecord;

export type AdmissionObserver = (record: AdmissionRecord) => void;

/** Which of upstream's types an error is. Source: apiserver, policy/validating/metrics/errors.go. */
export function policyErrorType(message: string): PolicyErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  const isSpent = message.startsWith('validation failed due to running out of cost budget');
  return isSpent ? 'out_of_budget' : 'invalid_error';
}
