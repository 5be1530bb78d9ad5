import { isObject, type JsonValue, ownString } from '../meta/index.ts';

/** What an event takes from an object where the URL does not say it; empty where the object does not either. */
export interface ObjectNames {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

const none: ObjectNames = Object.freeze({ name: '', namespace: '', uid: '', resourceVersion: '' });

/** Reads them from the metadata of an object, which is as a client sent it. */
export function objectNames(metadata: JsonValue | undefined): ObjectNames {
  if (!isObject(metadata)) return none;
  const text = (key: keyof ObjectNames) => ownString(metadata, key) ?? '';
  return {
    name: text('name'),
    namespace: text('namespace'),
    uid: text('uid'),
    resourceVersion: text('resourceVersion'),
  };
}
