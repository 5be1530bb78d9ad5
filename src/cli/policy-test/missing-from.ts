import { equal, isObject, type JsonValue, own } from '../../meta/index.ts';

/**
 * The first field that an object must have and has not, as `spec.size: expected 1, got 2`; undefined where it has all of
 * them. Of maps only the keys that are named are compared, `null` says that a key is not there; lists are compared whole.
 */
export function missingFrom(
  actual: JsonValue | undefined,
  expected: JsonValue,
  field = '',
): string | undefined {
  if (expected === null) return actual === undefined || actual === null ? undefined : differs(actual);
  if (isObject(expected) && isObject(actual)) {
    for (const [key, value] of Object.entries(expected)) {
      const found = missingFrom(own(actual, key), value, field === '' ? key : `${field}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return actual !== undefined && equal(actual, expected) ? undefined : differs(actual);

  function differs(got: JsonValue | undefined): string {
    const wanted = expected === null ? 'nothing' : shown(expected);
    return `${field}: expected ${wanted}, got ${got === undefined ? 'nothing' : shown(got)}`;
  }
}

const shownCharsMax = 200;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item));
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}...` : text;
}
