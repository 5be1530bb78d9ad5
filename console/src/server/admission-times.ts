import type { Sample } from './metrics-text.ts';

/** A webhook or a policy, with its totals since the start of the server. */
export interface AdmissionTime {
  readonly kind: string;
  readonly name: string;
  readonly calls: number;
  readonly rejected: number;
  readonly meanMs: number;
}

export const admissionPrefixes = [
  'apiserver_admission_webhook_admission_duration_seconds_',
  'apiserver_validating_admission_policy_check_duration_seconds_',
  'apiserver_mutating_admission_policy_check_duration_seconds_',
] as const;

/** The times of webhooks and policies, by total time in descending order. */
export function admissionTimes(samples: readonly Sample[]): readonly AdmissionTime[] {
  const found = new Map<
    string,
    { kind: string; name: string; calls: number; rejected: number; seconds: number }
  >();
  for (const { name, labels, value } of samples) {
    const part = /_(sum|count)$/.exec(name)?.[1];
    if (part === undefined || !admissionPrefixes.some((prefix) => name.startsWith(prefix))) continue;
    const kind = kindOf(name, labels);
    const subject = labels.get('policy') ?? labels.get('name') ?? '';
    const key = `${kind} ${subject}`;
    const known = found.get(key) ?? { kind, name: subject, calls: 0, rejected: 0, seconds: 0 };
    found.set(key, known);
    if (part === 'sum') known.seconds += value;
    else {
      known.calls += value;
      if (isRejection(labels)) known.rejected += value;
    }
  }
  return [...found.values()]
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ seconds, ...rest }) => ({
      ...rest,
      meanMs: rest.calls === 0 ? 0 : (seconds / rest.calls) * 1_000,
    }));
}

function kindOf(name: string, labels: ReadonlyMap<string, string>): string {
  if (name.startsWith('apiserver_validating')) return 'Validating policy';
  if (name.startsWith('apiserver_mutating')) return 'Mutating policy';
  return labels.get('type') === 'admit' ? 'Mutating webhook' : 'Validating webhook';
}

function isRejection(labels: ReadonlyMap<string, string>): boolean {
  return labels.get('rejected') === 'true' || labels.get('enforcement_action') === 'deny';
}
