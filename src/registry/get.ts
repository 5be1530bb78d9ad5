import type { RequestContext } from './context.ts';
import { prepareForms } from './prepare-forms.ts';
import { type Rendered, renderEntry } from './rendered.ts';
import type { ObjectTarget } from './target.ts';
import { absentObject } from './update.ts';
import { waitForVersion } from './freshness.ts';

export interface GetRequest {
  readonly target: ObjectTarget;
  /** As the query gives it: empty for the latest state, `0` for whatever is at hand, else at least that one. */
  readonly resourceVersion: string;
  readonly context: RequestContext;
}

/** GET of one object. @throws {StatusError} 404, 504 where the resourceVersion is not reached in time */
export async function getObject({ target, resourceVersion, context }: GetRequest): Promise<Rendered> {
  const { view } = target.resource;
  await waitForVersion(target, resourceVersion, context);
  const entry = view.get(target.resource.key(target.namespace, target.name));
  if (entry === undefined) throw absentObject(target);
  const preparing = prepareForms([entry], { served: target, context });
  if (preparing !== undefined) await preparing;
  return renderEntry(entry, target);
}
