import type { Format } from './format.ts';

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** Standard base64 with padding, on one line, not empty. */
export const byte: Format = {
  name: 'byte',
  type: 'string',
  accepts: (text) => text !== '' && text.length % 4 === 0 && base64Pattern.test(text),
};
