import type { Format } from './format.ts';

const char = '[a-zA-Z0-9\\p{S}\\p{L}]';
const charOrDash = '[a-zA-Z0-9\\-\\p{S}\\p{L}]';
const hostnamePattern = new RegExp(
  `^(?:${char}(?:-?${char}{0,62})?|(?:${char}(?:${charOrDash}{0,61}${char})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);

const hostnameBytesMax = 255;
const labelBytesMax = 63;

/**
 * A host name (RFC 1034) by upstream's rules: symbols and letters of any script are valid, the last of several labels
 * has only letters, and a name without a dot may have a dash only in second place.
 */
export const hostname: Format = {
  name: 'hostname',
  type: 'string',
  accepts: (text) =>
    text.length <= hostnameBytesMax &&
    Buffer.byteLength(text) <= hostnameBytesMax &&
    text.split('.').every((label) => Buffer.byteLength(label) <= labelBytesMax) &&
    hostnamePattern.test(text),
};
