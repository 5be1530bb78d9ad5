import type { Registry } from '../registry/index.ts';
import type { ResourcePath } from './request-info.ts';
import { findReview } from './reviews/reviews.ts';

/** Whether a path is of a resource, and of a subresource of it, that the catalog has at the moment. */
export function isServed(registry: Registry, path: ResourcePath): boolean {
  const served = registry.catalog.find(path.group, path.version, path.resource);
  if (served === undefined) return path.subresource === '' && findReview(path) !== undefined;
  return path.subresource === '' || registry.hasSubresource(served, path.subresource);
}
