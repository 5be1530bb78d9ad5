import { limits } from '../limits.ts';

/** A `%` that starts no escape. */
const malformedEscape = /%(?![0-9A-Fa-f]{2})/;

/**
 * The parameters of a query. A parameter with a semicolon or a malformed escape is ignored, as upstream: `?limit=%zz`
 * and `?limit=1;watch=1` have none. So is a query with too many parameters. Source: Go, net/url ParseQuery.
 *
 * @param search - the query as sent, without its question mark
 */
export function parseQuery(search: string): URLSearchParams {
  if (hasTooMany(search)) return new URLSearchParams();
  if (!search.includes(';') && !malformedEscape.test(search)) return parametersOf(search);
  const isValid = (pair: string) => !pair.includes(';') && !malformedEscape.test(pair);
  return parametersOf(search.split('&').filter(isValid).join('&'));
}

function hasTooMany(search: string): boolean {
  return search.length >= limits.queryParametersMax && search.split('&').length > limits.queryParametersMax;
}

/** A question mark at the start belongs to the first name; `URLSearchParams` would drop it. */
function parametersOf(search: string): URLSearchParams {
  return new URLSearchParams(search.startsWith('?') ? `&${search}` : search);
}
