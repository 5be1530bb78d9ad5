import { fieldErrorText, invalid } from '../refusal/field-error.ts';
import { NumberSyntaxError, parseUint64 } from '../go/go-number.ts';

/** A resourceVersion that is not a number: `resourceVersion: Invalid value: "x": strconv.ParseUint: ...`. */
export class ResourceVersionError extends Error {
  override readonly name = 'ResourceVersionError';
}

/**
 * The revision of a resourceVersion; 0 for the empty one and for `0`. Revisions beyond 2^53 are rounded, but are
 * still larger than any that a store has reached.
 *
 * @throws {ResourceVersionError} with upstream's message; the status code depends on the verb.
 */
export function parseResourceVersion(text: string): number {
  if (text === '' || text === '0') return 0;
  try {
    return Number(parseUint64(text));
  } catch (error) {
    if (!(error instanceof NumberSyntaxError)) throw error;
    throw new ResourceVersionError(fieldErrorText(invalid('resourceVersion', text, error.message)));
  }
}
