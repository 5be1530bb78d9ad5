/** Texts without a long number take the fast path. */
const longNumber = /\d{16}/;

/**
 * Parses JSON without rounding: integers that a double cannot represent become bigints. Browsers that do not provide
 * the source text of numbers round them.
 *
 * @throws {SyntaxError}
 */
export function parseExactly(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

function exact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value;
}

/** A value as JSON on one line. */
export function exactText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${exactText(one)}`);
  return `{${members.join(',')}}`;
}
