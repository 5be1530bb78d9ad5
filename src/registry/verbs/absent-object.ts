import { notFoundError } from '../../meta/index.ts';
import type { ObjectTarget } from '../resource/target.ts';

class AbsentObjectError extends Error {}

/** Whether an error says that the object itself is not there. */
export function isAbsentObject(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof AbsentObjectError;
}

/** @throws the 404 of an object, marked so that a create-on-update can tell it from the 404 of a namespace */
export function absentObject(target: ObjectTarget): Error {
  const error = notFoundError(target.resource.groupResource, target.name);
  error.cause = new AbsentObjectError();
  return error;
}
