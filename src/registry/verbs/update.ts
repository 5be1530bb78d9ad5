import {
  type KubeObject,
  metadataOf,
  metadataString,
  sharedWith,
  type UpdateOptions,
} from '../../meta/index.ts';
import { acceptObject } from '../write/accept.ts';
import { bytesOf, type RequestBody } from '../request/body.ts';
import { decodedAhead } from '../request/decode-ahead.ts';
import type { RequestContext } from '../request/context.ts';
import { insertObject } from './create.ts';
import { inSlices, type RegistryParts } from '../write/registry-parts.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { isAbsentObject } from './absent-object.ts';
import { withOwnMetadata } from '../write/own-metadata.ts';
import { matchTarget, requireSameUid } from './match-target.ts';
import { changeObject, type ChangeRequest, type WriteResult } from './change-object.ts';

export interface UpdateRequest {
  readonly target: ObjectTarget;
  readonly body: RequestBody;
  readonly options: UpdateOptions;
  readonly context: RequestContext;
}

/** PUT: replaces an object by one that the client derived from its latest state. */
export async function updateObject(parts: RegistryParts, request: UpdateRequest): Promise<WriteResult> {
  const { target, body, options, context } = request;
  const bytes = bytesOf(body);
  const decoded = await decodedAhead(parts, body);
  const accepting = acceptObject(target, decoded, { fieldValidation: options.fieldValidation, context });
  const object = await inSlices(parts, bytes, accepting);
  matchTarget(object, target);
  const uid = metadataString(object, 'uid');
  const write = {
    target,
    options,
    context,
    bytes,
    replaces: true,
    transform: async (old: KubeObject) => {
      requireSameUid(target, uid, metadataString(old, 'uid'));
      return target.resource.strategy.sharesUnchanged === true
        ? sharedWith(old, object)
        : withOwnMetadata(object);
    },
  };
  if (!target.resource.strategy.allowCreateOnUpdate) return changeObject(parts, write);
  return changeOrCreate(parts, write, object);
}

async function changeOrCreate(
  parts: RegistryParts,
  write: ChangeRequest,
  object: KubeObject,
): Promise<WriteResult> {
  try {
    return await changeObject(parts, write);
  } catch (error) {
    if (!isAbsentObject(error)) throw error;
    const { target, options, context } = write;
    delete metadataOf(object)['resourceVersion'];
    const insert = { target, object, options, context, byChange: true };
    return { responseObject: await insertObject(parts, insert), created: true };
  }
}
