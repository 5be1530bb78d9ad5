import { type FieldError, goJson, invalid, ownString } from '../../meta/index.ts';
import type { HoistedVersion } from './hoisted-spec.ts';

/** In bytes, as upstream counts, although the message says characters. */
const warningBytesMax = 256;

/** The warning of a deprecated version. */
export function deprecationErrors({ raw, path }: HoistedVersion): FieldError[] {
  const warning = ownString(raw, 'deprecationWarning');
  return deprecationProblems(raw['deprecated'] === true, warning).map((problem) => ({
    ...invalid(path.child('deprecationWarning'), warning, problem),
    // A pointer in Go, which prints as JSON.
    valueText: goJson(warning),
  }));
}

function deprecationProblems(deprecated: boolean, warning: string | undefined): string[] {
  if (warning === undefined) return [];
  return deprecated ? warningTextProblems(warning) : ['can only be set for deprecated versions'];
}

/** The errors of a text that is sent to clients as a warning. */
export function warningTextProblems(warning: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(warning) > warningBytesMax) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null) {
    const index = Buffer.byteLength(warning.slice(0, unprintable.index));
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    );
  }
  return problems;
}
