import { JsonPatchApplyError } from './json-patch-errors.ts';

/**
 * `/spec/a~1b/0` gives `['spec', 'a/b', '0']`. Source: RFC 6901. What stands before the first slash does not count, as
 * in the library that upstream uses.
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

/** Whether a path leads to something around what another one leads to. */
export function isPrefix(short: readonly string[], long: readonly string[]): boolean {
  return short.length < long.length && short.every((step, index) => step === long[index]);
}

/** A list index as Go reads numbers, from the end where it is negative; -1 where the step is none of so many. */
export function parseIndex(step: string, length: number): number {
  if (!/^[+-]?[0-9]+$/.test(step)) return -1;
  const number = Number(step);
  const index = number < 0 ? number + length : number;
  return index >= 0 && index < length ? index : -1;
}
