import type { Row } from './row.ts';

const completionsMax = 50;
const rowsMax = 2_000;

/** Completions of a label selector: keys, then values of the loaded objects. */
export function labelCompletions(text: string, rows: readonly Row[]): readonly string[] {
  const known = new Map<string, Set<string>>();
  for (const { metadata } of rows.slice(0, rowsMax)) {
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      known.set(key, (known.get(key) ?? new Set()).add(value));
    }
  }
  const before = beforeLast(text);
  const all = [...known].flatMap(([key, values]) => [
    `${key}=`,
    ...[...values].map((value) => `${key}=${value}`),
    `${key} in (`,
    `!${key}`,
  ]);
  return all.slice(0, completionsMax).map((one) => before + one);
}

/** Completions of a field selector; sets are an extension of Ilk. */
export function fieldCompletions(text: string, fields: readonly string[]): readonly string[] {
  const before = beforeLast(text);
  return fields
    .flatMap((field) => [`${field}=`, `${field}!=`, `${field} in (`, `${field} exists`])
    .slice(0, completionsMax)
    .map((one) => before + one);
}

/** The requirements before the one being typed; commas in a set do not separate. */
function beforeLast(text: string): string {
  const found = /^(?:[^,(]|\([^)]*\))*(?:,(?:[^,(]|\([^)]*\))*)*,/.exec(text)?.[0];
  return found ?? '';
}
