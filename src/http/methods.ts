import { byteLengthOf } from './body.ts';
import { type HttpResponse, isStream } from './message.ts';
import { type ResourcePath, splitPath } from './request-info.ts';
import type { Verb } from './resource-handler.ts';

const getAlone: ReadonlySet<string> = new Set(['version', 'api', 'openid', '.well-known']);

/**
 * True for documents that upstream's router serves only for GET. Its other documents, and its responses for custom
 * resources, ignore the method. Recorded from kube-apiserver.
 *
 * @param isBuiltIn whether the path is in a group of built-in kinds
 */
export function isForGetAlone(path: string, { isBuiltIn }: { readonly isBuiltIn: boolean }): boolean {
  const [root = '', ...rest] = splitPath(path) ?? [];
  return getAlone.has(root) || (root === 'apis' && rest.length === 2 && isBuiltIn);
}

interface AskedMethod {
  readonly method: string;
  readonly verb: Verb;
  readonly path: ResourcePath;
}

/**
 * False if the method does not fit the path: built-in kinds have no HEAD routes, and a `/watch/` path is a watch for
 * every method. A watch has no end, so HEAD cannot describe it.
 */
export function takesMethod(
  type: { readonly isBuiltIn: boolean },
  { method, verb, path }: AskedMethod,
): boolean {
  if (method === 'HEAD') return !type.isBuiltIn && verb !== 'watch';
  return !path.watch || method === 'GET' || !type.isBuiltIn;
}

/** A response without its body; the headers give the length if it is known. */
export function headOf({ status, headers, body }: HttpResponse): HttpResponse {
  const length = isStream(body) ? undefined : byteLengthOf(body);
  const told = length === undefined ? headers : { ...headers, 'content-length': String(length) };
  return { status, headers: told, body: Buffer.alloc(0) };
}
