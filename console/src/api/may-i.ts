import { getJson } from './request.ts';

/** The attributes of an access review. */
interface Wish {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Whether the user may do something, like `kubectl auth can-i`. @throws {ApiError} */
export async function mayI(wish: Wish, signal?: AbortSignal): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: wish },
  };
  const { status } = await getJson<{ status?: { allowed?: boolean } }>(
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    { method: 'POST', body: JSON.stringify(review), signal },
  );
  return status?.allowed === true;
}
