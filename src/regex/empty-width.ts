import { includes, wordChars } from './char-class.ts';
import { places } from './program.ts';

/** Stands for the code point before or after a position at the start or end of the text. */
export const outside = -1;

/** Empty-width assertions that the preceding text alone decides. */
export function emptyWidthAfter(before: number): number {
  if (before === outside) return places.beginText | places.beginLine;
  return before === 0x0a ? places.beginLine : 0;
}

/** The assertions that hold between two characters, as bits. */
export function emptyWidthBetween(before: number, after: number): number {
  const ends = after === outside ? places.endText | places.endLine : after === 0x0a ? places.endLine : 0;
  const boundary = isWord(before) === isWord(after) ? places.noWordBoundary : places.wordBoundary;
  return emptyWidthAfter(before) | ends | boundary;
}

export const isWord = (codePoint: number): boolean => codePoint < 0x80 && includes(wordChars, codePoint);
