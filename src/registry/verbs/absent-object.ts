import { notFoundError } from '../../meta/index.ts';
import type { ObjectTarget } from '../resource/target.ts';

class AbsentObjectError extends Error {}

/** Whether an error is the 404 of the object itself. */
export function isAbsentObject(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof AbsentObjectError;
}

/** @throws the 404 of an object, marked to distinguish it from the 404 of a namespace */
export function absentObject(target: ObjectTarget): Error {
  const error = notFoundError(target.resource.groupResource, target.name);
  error.cause = new AbsentObjectError();
  return error;
}
