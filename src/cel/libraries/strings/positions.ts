import { CelError } from '../../values/cel-error.ts';
import { codePoints } from '../../values/text.ts';
import type { CelInt, Result } from '../../values/value.ts';

/** String positions count code points. */

function outOfRange(index: CelInt): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** The character at a position; '' at the end. */
export function charAt(text: string, place: CelInt): Result {
  const points = codePoints(text);
  const length = points?.length ?? text.length;
  if (place < 0 || place > length) return outOfRange(place);
  return points === undefined ? text.charAt(Number(place)) : (points[Number(place)] ?? '');
}

export function substring(text: string, start: CelInt, end?: CelInt): Result {
  const points = codePoints(text);
  const length = points?.length ?? text.length;
  const stop = end ?? length;
  if (end !== undefined && start > stop) {
    return new CelError(`invalid substring range. start: ${start}, end: ${stop}`);
  }
  if (start < 0 || start > length) return outOfRange(start);
  if (stop < 0 || stop > length) return outOfRange(stop);
  const range = [Number(start), Number(stop)] as const;
  return points === undefined ? text.slice(...range) : points.slice(...range).join('');
}

/** The first occurrence at or after an offset; -1 if there is none. */
export function indexOf(text: string, part: string, offset: CelInt): Result {
  if (offset < 0) return outOfRange(offset);
  const points = codePoints(text);
  const length = points?.length ?? text.length;
  if (part === '' && offset > length) return length;
  if (part === '') return offset;
  if (offset >= length) return -1;
  if (points === undefined) return text.indexOf(part, Number(offset));
  const unit = text.indexOf(part, points.slice(0, Number(offset)).join('').length);
  return unit < 0 ? -1 : Array.from(text.slice(0, unit)).length;
}

/** The last occurrence at or before an offset; -1 if there is none. */
export function lastIndexOf(text: string, part: string, offset?: CelInt): Result {
  const points = codePoints(text);
  const length = points?.length ?? text.length;
  if (offset !== undefined && offset < 0) return outOfRange(offset);
  const from = offset ?? (part === '' ? length : length - 1);
  if (part === '' && from > length) return length;
  if (part === '') return from;
  if (from < 0 || from >= length) return -1;
  if (points === undefined) return text.lastIndexOf(part, Number(from));
  const unit = text.lastIndexOf(part, points.slice(0, Number(from)).join('').length);
  return unit < 0 ? -1 : Array.from(text.slice(0, unit)).length;
}
