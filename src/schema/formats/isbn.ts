import type { Format } from './format.ts';

const separators = /[\t\n\f\r -]+/g;
const isbn10Pattern = /^[0-9]{9}[0-9X]$/;
const isbn13Pattern = /^[0-9]{13}$/;

function isIsbn10(text: string): boolean {
  const digits = text.replace(separators, '');
  if (!isbn10Pattern.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    return total + (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }, 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(separators, '');
  if (!isbn13Pattern.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}

/** ISBNs with a valid checksum; spaces and dashes are ignored. */
export const isbn: Format = {
  name: 'isbn',
  type: 'string',
  accepts: (text) => isIsbn10(text) || isIsbn13(text),
};
export const isbn10: Format = { name: 'isbn10', type: 'string', accepts: isIsbn10 };
export const isbn13: Format = { name: 'isbn13', type: 'string', accepts: isIsbn13 };
