import { JsonPatchApplyError } from './json-patch-errors.ts';

/**
 * `/spec/a~1b/0` gives `['spec', 'a/b', '0']`. Source: RFC 6901. Text before the first slash is ignored, as in
 * upstream's library.
 */
export function parsePointer(text: string | undefined): readonly string[] {
  if (text === undefined) throw new JsonPatchApplyError('operation without a path');
  if (text === '') return [];
  if (!text.includes('/')) throw new JsonPatchApplyError(`path without a slash: ${text}`);
  return text
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether a path leads to a parent of another path's target. */
export function isPrefix(short: readonly string[], long: readonly string[]): boolean {
  return short.length < long.length && short.every((step, index) => step === long[index]);
}

/** Parses a list index as Go does; negative indexes count from the end. -1 if the step is not an index of the list. */
export function parseIndex(step: string, length: number): number {
  if (!/^[+-]?[0-9]+$/.test(step)) return -1;
  const number = Number(step);
  const index = number < 0 ? number + length : number;
  return index >= 0 && index < length ? index : -1;
}
