import type { RequestContext, Warnings } from '../../registry/index.ts';
import type { HttpRequest } from '../message.ts';
import type { AdmissionLog } from '../request-log.ts';

type Explain = NonNullable<RequestContext['explain']>;
type AdmissionRecord = Parameters<Explain>[0];

/**
 * `?explain=admission` on a dry run adds a warning for each step of admission: the plugin or webhook, its result and
 * its duration. The admission log contains these for every write. Upstream has no such option.
 */
export function explainAdmission(
  { method, path, query }: HttpRequest,
  warnings: Warnings,
  log: AdmissionLog | undefined,
): Explain | undefined {
  const isAsked = query.get('explain') === 'admission' && query.has('dryRun');
  if (!isAsked && log === undefined) return undefined;
  return (record) => {
    const text = explanation(record);
    if (isAsked) warnings.add(text);
    log?.({ method, path, text });
  };
}

function explanation(record: AdmissionRecord): string {
  const took = `${(record.seconds * 1000).toFixed(2)} ms`;
  switch (record.what) {
    case 'step':
      return `admission: ${record.phase}: ${verdict(record.rejected)} in ${took}`;
    case 'plugin':
      return `admission: ${record.phase}: plugin ${record.name}: ${verdict(record.rejected)} in ${took}`;
    case 'webhook':
      return `admission: ${record.phase}: webhook ${record.name}: ${record.outcome} in ${took}${why(record)}`;
    case 'match conditions': {
      const { of, name, outcome } = record;
      return `admission: ${record.phase}: match conditions of ${of} ${name}: ${outcome} in ${took}${why(record)}`;
    }
    default: {
      const { kind, name, binding, action } = record;
      return `admission: ${kind} policy ${name} with binding ${binding}: ${action} in ${took}${why(record)}`;
    }
  }
}

function verdict(rejected: boolean): string {
  return rejected ? 'rejected' : 'allowed';
}

function why({ message }: { readonly message: string }): string {
  return message === '' ? '' : `: ${message}`;
}
