import { type JsonValue, limits, type StatusError, isObject } from '../../meta/index.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';

/** etcd's error for too large transactions, which kube-apiserver returns. Source: etcd, rpctypes/error.go. */
function tooLargeError(): StatusError {
  return errorWithoutReason(500, 'etcdserver: request is too large');
}

/**
 * Refuses an object that is too large to be stored, for all storages.
 *
 * @param replaces the size of the replaced bytes: an object that is already too large may be written unless it grows
 * @throws {StatusError} 500, as upstream
 */
export function refuseTooLarge(bytes: number, replaces = 0): void {
  if (bytes > limits.storedObjectBytesMax && bytes > replaces) throw tooLargeError();
}

/**
 * Refuses an object if its keys and strings alone are too large, before the owners of its many fields are computed.
 *
 * @throws {StatusError} 500, as upstream
 */
export function refuseSurelyTooLarge(object: JsonValue): void {
  if (isLongerThan(object, limits.storedObjectBytesMax)) throw tooLargeError();
}

/** Whether the JSON of a value is longer than a limit; a lower bound is counted, up to the limit. */
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
