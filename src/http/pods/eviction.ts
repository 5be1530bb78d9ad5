import { evictionType } from '../../kinds/index.ts';
import {
  badRequestError,
  type DeleteOptions,
  deleteOptionsFromBody,
  equal,
  invalid,
  invalidError,
  type JsonObject,
  nameOf,
  own,
  ownObject,
  StatusError,
  stringList,
} from '../../meta/index.ts';
import type { RequestBodies, RequestBody } from '../../registry/index.ts';
import { findTarget, type PodRequest, type PodRequestKind, podsName } from './pod-request.ts';

const budgetsName = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** As in discovery. */
export const evictionResource = Object.freeze({
  group: '',
  version: 'v1',
  resource: 'pods/eviction',
  kind: 'Eviction',
  namespaced: true,
  kindGroup: { group: 'policy', version: 'v1' },
});

/** POST to `pods/NAME/eviction`. Source: kubernetes, pkg/registry/core/pod/storage/eviction.go. */
export const eviction: PodRequestKind = {
  type: evictionType,
  convert: fromV1beta1,
  async run(request) {
    const { registry, path, object, context } = request;
    const { name, namespace } = path;
    if (nameOf(object) !== name) throw badRequestError('name in URL does not match name in Eviction object');
    const given = ownObject(object, 'deleteOptions') ?? {};
    refuseUnsafe(given, name);
    const dryRun = dryRunOf(given, request);
    await request.validate(object);
    const options: DeleteOptions = deleteOptionsFromBody({ ...withoutKind(given), dryRun: [...dryRun] });
    const pods = await findTarget(registry, podsName, namespace);
    const budgets = await findTarget(registry, budgetsName, namespace);
    await registry.evict({ pods, budgets, name, options, context });
  },
};

function withoutKind({ kind: _, apiVersion: __, ...options }: JsonObject): JsonObject {
  return options;
}

function refuseUnsafe(options: JsonObject, name: string): void {
  if (own(options, unsafe) !== true) return;
  const why = 'can not be set for pod eviction, try after removing the option';
  const error = invalid(`deleteOptions.${unsafe}`, true, why);
  throw invalidError({ group: 'policy', kind: 'Eviction' }, name, [error]);
}

/** The dry run of the request or of the body; both must agree. */
function dryRunOf(given: JsonObject, { options }: PodRequest): readonly string[] {
  const inBody = stringList(own(given, 'dryRun'));
  const inQuery = options.dryRun ? ['All'] : [];
  if (inBody.length === 0 || inQuery.length === 0) return inBody.length === 0 ? inQuery : inBody;
  if (equal(inBody, inQuery)) return inBody;
  const texts = [inQuery, inBody].map((list) => `[${list.join(' ')}]`);
  const message = `Non-matching dry-run options in request and content: ${texts.join(' and ')}`;
  throw new StatusError({ code: 500, message });
}

const v1beta1 = { kind: 'Eviction', apiVersion: 'policy/v1beta1', isDefault: true } as const;

/** Upstream still accepts Evictions of policy/v1beta1. */
async function fromV1beta1(body: RequestBody, bodies: RequestBodies): Promise<RequestBody> {
  if (!('bytes' in body) || !Buffer.from(body.bytes).includes(v1beta1.apiVersion)) return body;
  try {
    const { object } = await bodies.object(body, v1beta1);
    return { value: { ...object, apiVersion: 'policy/v1' } };
  } catch (error) {
    if (error instanceof StatusError) return body;
    throw error;
  }
}
