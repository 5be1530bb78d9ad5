import { type JsonValue, limits, type StatusError, isObject } from '../../meta/index.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';

/** What etcd says of a transaction beyond its limit, and kube-apiserver hands on. Source: etcd, rpctypes/error.go. */
function tooLargeError(): StatusError {
  return errorWithoutReason(500, 'etcdserver: request is too large');
}

/**
 * Refuses an object that is too large to be stored, on every storage alike.
 *
 * @param replaces the bytes that it takes the place of: what is larger already may be written as long as it does not grow
 * @throws {StatusError} 500, as upstream
 */
export function refuseTooLarge(bytes: number, replaces = 0): void {
  if (bytes > limits.storedObjectBytesMax && bytes > replaces) throw tooLargeError();
}

/**
 * Refuses an object of which a look at its keys and texts says already that it is too large: before who owns its many
 * fields is worked out.
 *
 * @throws {StatusError} 500, as upstream
 */
export function refuseSurelyTooLarge(object: JsonValue): void {
  if (isLongerThan(object, limits.storedObjectBytesMax)) throw tooLargeError();
}

/** Whether the JSON of a value is longer; it counts what is there for certain, and stops when that is enough. */
function isLongerThan(value: JsonValue, bytesMax: number): boolean {
  let left = bytesMax;
  const count = (one: JsonValue): void => {
    left -= typeof one === 'string' ? one.length + 2 : 1;
    if (left < 0) return;
    if (Array.isArray(one)) countAll(one);
    else if (isObject(one)) countMembers(one);
  };
  const countAll = (list: readonly JsonValue[]): void => {
    for (const item of list) {
      left -= 1;
      count(item);
      if (left < 0) return;
    }
  };
  const countMembers = (object: { readonly [key: string]: JsonValue }): void => {
    for (const key in object) {
      left -= key.length + 4;
      count(object[key] ?? null);
      if (left < 0) return;
    }
  };
  count(value);
  return left < 0;
}
