import { limits } from '../meta/index.ts';

/** A patch that is not a list of operations. */
export class JsonPatchFormatError extends Error {
  override readonly name = 'JsonPatchFormatError';
}

/** A failed operation: a missing path, a failed test. */
export class JsonPatchApplyError extends Error {
  override readonly name = 'JsonPatchApplyError';
}

/** A `test` that found another value. */
export class JsonPatchTestError extends JsonPatchApplyError {}

/** More operations than a patch may have. */
export class JsonPatchTooLongError extends Error {
  override readonly name = 'JsonPatchTooLongError';
}

/** Operations that would move more list items than a patch may. */
export class JsonPatchTooMuchWorkError extends Error {
  override readonly name = 'JsonPatchTooMuchWorkError';

  constructor() {
    super(`The operations of a JSON patch may not touch more than ${limits.jsonPatchItemsMax} list items`);
  }
}

/** A result that exceeds the depth limit of bodies. */
export class JsonPatchTooDeepError extends Error {
  override readonly name = 'JsonPatchTooDeepError';

  constructor() {
    super(`exceeded max depth of ${limits.nestingDepthMax}`);
  }
}

/** True for an invalid or failed JSON patch, including a failed test. */
export function isJsonPatchError(error: unknown): error is Error {
  return [
    JsonPatchApplyError,
    JsonPatchFormatError,
    JsonPatchTooDeepError,
    JsonPatchTooLongError,
    JsonPatchTooMuchWorkError,
  ].some((type) => error instanceof type);
}
