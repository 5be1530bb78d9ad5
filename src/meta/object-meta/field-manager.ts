import { type FieldError, invalid, tooLong } from '../refusal/field-error.ts';
import { type FieldPath, pathText } from '../refusal/field-path.ts';

const fieldManagerBytesMax = 128;

/**
 * Characters that are not printable by Go's unicode.IsPrint: all white space but the plain space, controls,
 * unassigned code points.
 */
const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** The errors of a field manager's name; an empty one is valid. */
export function fieldManagerErrors(where: FieldPath | string, manager: string): FieldError[] {
  const field = typeof where === 'string' ? where : pathText(where);
  // Upstream continues with the characters; each error would repeat the whole name, however long it is.
  if (Buffer.byteLength(manager) > fieldManagerBytesMax) return [tooLong(field, fieldManagerBytesMax)];
  const errors: FieldError[] = [];
  let positionBytes = 0;
  for (const char of manager) {
    if (notPrintable.test(char)) {
      const text = `invalid character ${codePointText(char)} (at position ${positionBytes})`;
      errors.push(invalid(field, manager, text));
    }
    positionBytes += Buffer.byteLength(char);
  }
  return errors;
}

/**
 * The field manager of a request without `fieldManager`: the printable part of the User-Agent before its first slash,
 * cut to 128 bytes at a character boundary. May be empty.
 */
export function fieldManagerFromUserAgent(userAgent: string): string {
  let manager = '';
  let sizeBytes = 0;
  for (const char of userAgent.split('/', 1)[0] ?? '') {
    if (notPrintable.test(char)) continue;
    sizeBytes += Buffer.byteLength(char);
    if (sizeBytes > fieldManagerBytesMax) break;
    manager += char;
  }
  return manager;
}

/** `U+000A` */
function codePointText(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
