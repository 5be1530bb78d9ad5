import { forbiddenError, own, metadataOf, type StatusError } from '../meta/index.ts';
import type { AdmissionAttributes } from './attributes.ts';

/**
 * The refusal of a write by a plugin. An object whose name is not generated yet is named by its `generateName`, one
 * without any name `Unknown`, as each object of a deletecollection. Source: apiserver, pkg/admission/errors.go.
 */
export function forbiddenWrite(
  { resource, name, object }: Pick<AdmissionAttributes, 'resource' | 'name' | 'object'>,
  why: string,
): StatusError {
  const prefix = object === undefined ? undefined : own(metadataOf(object), 'generateName');
  const given = typeof prefix === 'string' && prefix !== '' ? prefix : 'Unknown';
  return forbiddenError(resource, name === '' ? given : name, why);
}
