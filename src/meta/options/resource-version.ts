import { fieldErrorText, invalid } from '../refusal/field-error.ts';
import { NumberSyntaxError, parseUint64 } from '../go/go-number.ts';

/** A resourceVersion that is no number: `resourceVersion: Invalid value: "x": strconv.ParseUint: ...`. */
export class ResourceVersionError extends Error {
  override readonly name = 'ResourceVersionError';
}

/**
 * The revision that a resourceVersion stands for; 0 for the empty one and for `0`. Revisions beyond 2^53 lose their
 * last digits, but are still larger than any that a store has reached.
 *
 * @throws {ResourceVersionError} with upstream's text; what becomes of it depends on the verb.
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
