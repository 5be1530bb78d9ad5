import { equal, isObject, type JsonValue, own } from '../../meta/index.ts';

/**
 * The first difference between the expected fields and an object, as `spec.size: expected 1, got 2`; undefined if it
 * has all of them. Of maps only the named keys are compared, `null` expects a key to be absent; lists are compared as
 * a whole.
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
