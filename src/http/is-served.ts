import type { Registry } from '../registry/index.ts';
import type { ResourcePath } from './request-info.ts';
import { findReview } from './reviews/reviews.ts';

/** Whether the catalog currently has the resource and subresource of a path. */
export function isServed(
  registry: Registry,
  path: Pick<ResourcePath, 'group' | 'version' | 'resource' | 'subresource'>,
): boolean {
  const served = registry.catalog.find(path.group, path.version, path.resource);
  if (served === undefined) return path.subresource === '' && findReview(path) !== undefined;
  return path.subresource === '' || registry.hasSubresource(served, path.subresource);
}
