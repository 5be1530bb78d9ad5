import { NumberSyntaxError, parseInt64 } from '../go/go-number.ts';
import { badRequestError } from '../refusal/status.ts';

/**
 * Query parameters as the Kubernetes API reads them: the first of repeated parameters applies, unknown ones are
 * ignored, names are case-sensitive.
 */

/** The parameter's text; empty if absent. */
export function queryString(query: URLSearchParams, name: string): string {
  return query.get(name) ?? '';
}

/** Undefined if absent. Only `0` and `false`, in any case, are false: `watch=` and `watch=no` are true. */
export function queryBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}

/**
 * Undefined if absent. Whole numbers beyond 2^53 are rounded: no option has a meaning there.
 *
 * @throws {StatusError} 400 `strconv.ParseInt: parsing "x": invalid syntax`
 */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  try {
    return Number(parseInt64(text));
  } catch (error) {
    if (error instanceof NumberSyntaxError) throw badRequestError(error.message);
    throw error;
  }
}
