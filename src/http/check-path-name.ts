import { badRequestError, pathSegmentName } from '../meta/index.ts';
import type { ResourcePath } from './request-info.ts';

/**
 * Refuses a name that no object can have before it becomes part of a key. Source: apiserver, NamespaceKeyFunc.
 *
 * @throws {StatusError} 400
 */
export function checkPathName({ name }: ResourcePath): void {
  const wrong = pathSegmentName.checkName(name);
  if (wrong.length > 0) throw badRequestError(`Name parameter invalid: "${name}": ${wrong.join(';')}`);
}
