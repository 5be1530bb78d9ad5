import type { Authorizer } from '../auth/index.ts';
import {
  type JsonObject,
  type KubeObject,
  methodNotSupportedError,
  ownObject,
  ownString,
  type UserInfo,
} from '../meta/index.ts';
import { decodeObject } from '../registry/index.ts';
import { bodyFormat } from './content-type.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { negotiate } from './negotiate.ts';
import type { ResourcePath } from './request-info.ts';
import { valueResponse, wantsPretty } from './responses.ts';

/** A kind that is asked, not stored: a POST is answered with what the server thinks. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  answer(asked: KubeObject, user: UserInfo, authorizer: Authorizer): JsonObject | Promise<JsonObject>;
}

/** "Who am I": `kubectl auth whoami`. */
const selfSubjectReview: ReviewKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  answer: (_, user) => ({
    userInfo: {
      username: user.name,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      groups: [...user.groups],
    },
  }),
};

/** "May I": `kubectl auth can-i`. */
const selfSubjectAccessReview: ReviewKind = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  answer: async (asked, user, authorizer) => {
    const spec = ownObject(asked, 'spec') ?? {};
    const { verdict, reason } = await authorizer.authorize(attributesOf(spec, user));
    return { allowed: verdict === 'allow', ...(reason === '' ? {} : { reason }) };
  },
};

function attributesOf(spec: JsonObject, user: UserInfo) {
  const resource = ownObject(spec, 'resourceAttributes');
  if (resource === undefined) {
    const path = ownObject(spec, 'nonResourceAttributes') ?? {};
    return { user, verb: text(path, 'verb'), path: text(path, 'path'), resource: undefined };
  }
  return {
    user,
    verb: text(resource, 'verb'),
    path: '',
    resource: {
      group: text(resource, 'group'),
      version: text(resource, 'version'),
      resource: text(resource, 'resource'),
      subresource: text(resource, 'subresource'),
      namespace: text(resource, 'namespace'),
      name: text(resource, 'name'),
    },
  };
}

function text(object: JsonObject, key: string): string {
  return ownString(object, key) ?? '';
}

/** Every review that is served, in the order of discovery. */
export const reviewKinds: readonly ReviewKind[] = Object.freeze([selfSubjectReview, selfSubjectAccessReview]);

/** The review that a path asks for; undefined where it is none. */
export function findReview(path: ResourcePath): ReviewKind | undefined {
  return reviewKinds.find(
    (kind) => kind.group === path.group && kind.version === path.version && kind.resource === path.resource,
  );
}

/** Answers a review. @throws {StatusError} 400, 405 for anything but POST, 406, 415 */
export async function reviewResponse(
  kind: ReviewKind,
  http: HttpRequest,
  { user, authorizer }: { user: UserInfo; authorizer: Authorizer },
): Promise<HttpResponse> {
  if (http.method !== 'POST') throw methodNotSupportedError(kind, http.method.toLowerCase());
  const { mediaType, pretty } = negotiate(http.header('accept'), {
    mediaTypes: ['json', 'yaml', 'protobuf'],
    transforms: [],
  });
  const format = bodyFormat(http.header('content-type'), { protobuf: true });
  const apiVersion = `${kind.group}/${kind.version}`;
  const expected = { kind: kind.kind, apiVersion, isDefault: true };
  const { object } = decodeObject({ bytes: await http.body(), format }, expected);
  const answer: JsonObject = {
    kind: kind.kind,
    apiVersion,
    metadata: { creationTimestamp: null },
    ...(object['spec'] === undefined ? {} : { spec: object['spec'] }),
    status: await kind.answer(object, user, authorizer),
  };
  return valueResponse(201, answer, { mediaType, pretty: pretty || wantsPretty(http) });
}
