import type { Format } from './format.ts';

/** Number ranges of the card issuers. */
const issuerPattern =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Luhn's checksum: from the right, every second digit is doubled and its digits are added. */
function hasLuhnChecksum(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}

/** A card number of a known issuer; other characters than digits are ignored. */
export const creditcard: Format = {
  name: 'creditcard',
  type: 'string',
  accepts: (text) => {
    const digits = text.replace(/[^0-9]+/g, '');
    return issuerPattern.test(digits) && hasLuhnChecksum(digits);
  },
};
