import { type JsonObject, put, type UserInfo } from '../../meta/index.ts';

/** A user in `authentication.k8s.io/v1`. */
export function userObject({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined || extra.size === 0 ? {} : { extra: extraObject(extra) }),
  };
}

function extraObject(extra: ReadonlyMap<string, readonly string[]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, values] of [...extra].sort(([a], [b]) => (a < b ? -1 : 1))) put(object, key, [...values]);
  return object;
}
