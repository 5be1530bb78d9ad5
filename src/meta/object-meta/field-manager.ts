import { type FieldError, invalid, tooLong } from '../refusal/field-error.ts';
import { type FieldPath, pathText } from '../refusal/field-path.ts';

const fieldManagerBytesMax = 128;

/** What Go's unicode.IsPrint leaves out: all white space but the plain one, controls, unassigned code points. */
const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** What is wrong with the name of a field manager; an empty one is fine. */
export function fieldManagerErrors(where: FieldPath | string, manager: string): FieldError[] {
  const field = typeof where === 'string' ? where : pathText(where);
  // Upstream goes on with the characters; each of them would repeat the whole name, however long that is.
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
 * Who a request without `fieldManager` writes as: the User-Agent up to its first slash, what can be printed of it,
 * cut to 128 bytes between two characters. It may be empty.
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
