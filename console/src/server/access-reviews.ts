import type { Kind } from '../api/kinds.ts';
import { getJson } from '../api/request.ts';

/** The user to check; the current one if empty. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
  /** The namespace for namespaced kinds; empty for all. */
  readonly namespace: string;
}

/** `unknown` until there is a response. */
export type Verdict = 'yes' | 'no' | 'unknown';

export const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
] as const;

const atOnceMax = 6;

export const cellKey = ({ group, plural }: Pick<Kind, 'group' | 'plural'>, verb: string) =>
  `${verb} ${plural}.${group}`;

interface Review {
  readonly status?: { readonly allowed?: boolean };
}

/**
 * Checks every kind and verb, and reports responses as they arrive.
 *
 * @throws {ApiError} if the user may not check others
 */
export async function reviewAll(
  kinds: readonly Kind[],
  subject: Subject,
  {
    onVerdict,
    abort,
  }: { readonly onVerdict: (key: string, verdict: Verdict) => void; readonly abort: AbortSignal },
): Promise<void> {
  const waiting = kinds.flatMap((kind) => verbs.map((verb) => ({ kind, verb })));
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !abort.aborted; next = waiting.shift()) {
      const { kind, verb } = next;
      onVerdict(cellKey(kind, verb), (await isAllowed(kind, verb, { subject, abort })) ? 'yes' : 'no');
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
}

async function isAllowed(
  { group, plural, namespaced }: Kind,
  verb: string,
  { subject, abort }: { readonly subject: Subject; readonly abort: AbortSignal },
): Promise<boolean> {
  const { user, groups, namespace } = subject;
  const isSelf = user === '';
  const kind = isSelf ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const resourceAttributes = { group, resource: plural, verb, ...(namespaced ? { namespace } : {}) };
  const review = await getJson<Review>(`/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, {
    method: 'POST',
    signal: abort,
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind,
      spec: { resourceAttributes, ...(isSelf ? {} : { user, groups }) },
    }),
  });
  return review.status?.allowed === true;
}
