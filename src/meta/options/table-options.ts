import { fieldErrorText, invalid } from '../refusal/field-error.ts';
import { badRequestError } from '../refusal/status.ts';
import { queryString } from './query.ts';

/** What table rows contain besides the cells. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

/**
 * The `includeObject` parameter of a request whose answer is a table; metadata by default. It is read when the answer
 * is written, so an invalid one does not affect other answers.
 *
 * @throws {StatusError} 400 for any other value.
 */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const text = queryString(query, 'includeObject');
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const error = invalid('includeObject', text, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequestError(`Unable to convert to Table as requested: ${fieldErrorText(error)}`);
}
