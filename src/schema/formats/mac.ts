import type { Format } from './format.ts';

const byteLengths = new Set([6, 8, 20]);
const colons = /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i;
const dashes = /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i;
const dots = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i;
const plain = /^(?:[0-9a-f]{2})+$/i;

/** A hardware address of 6, 8 or 20 bytes: pairs with `:` or `-`, groups of four digits with `.`, or digits only. */
export const mac: Format = {
  name: 'mac',
  type: 'string',
  accepts: (text) => {
    if (text.length > 59 || ![colons, dashes, dots, plain].some((pattern) => pattern.test(text)))
      return false;
    return byteLengths.has(text.replace(/[:.-]/g, '').length / 2);
  },
};
