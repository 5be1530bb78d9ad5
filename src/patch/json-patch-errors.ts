import { limits } from '../meta/index.ts';

/** A patch that is no list of operations. */
export class JsonPatchFormatError extends Error {
  override readonly name = 'JsonPatchFormatError';
}

/** An operation that cannot be carried out: a path that is not there, a test that fails. */
export class JsonPatchApplyError extends Error {
  override readonly name = 'JsonPatchApplyError';
}

/** A `test` that found something else. */
export class JsonPatchTestError extends JsonPatchApplyError {}

/** More operations than one patch may have. */
export class JsonPatchTooLongError extends Error {
  override readonly name = 'JsonPatchTooLongError';
}

/** Operations that would move more items of lists than one patch may. */
export class JsonPatchTooMuchWorkError extends Error {
  override readonly name = 'JsonPatchTooMuchWorkError';

  constructor() {
    super(`The operations of a JSON patch may not touch more than ${limits.jsonPatchItemsMax} list items`);
  }
}

/** A result that is nested deeper than any body may be. */
export class JsonPatchTooDeepError extends Error {
  override readonly name = 'JsonPatchTooDeepError';

  constructor() {
    super(`exceeded max depth of ${limits.nestingDepthMax}`);
  }
}

/** True for a JSON patch that cannot be read or applied, or whose test fails. */
export function isJsonPatchError(error: unknown): error is Error {
  return [
    JsonPatchApplyError,
    JsonPatchFormatError,
    JsonPatchTooDeepError,
    JsonPatchTooLongError,
    JsonPatchTooMuchWorkError,
  ].some((type) => error instanceof type);
}
