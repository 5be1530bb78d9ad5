import type { Format } from './format.ts';

const objectIdPattern = /^[0-9a-fA-F]{24}$/;
const ssnPattern = /^\d{3}[- ]?\d{2}[- ]?\d{4}$/;
const hexcolorPattern = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const colorPart = '[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*';
const rgbcolorPattern = new RegExp(`^rgb\\(${colorPart},${colorPart},${colorPart}\\)$`);

/** A MongoDB object ID: 24 hexadecimal digits. */
export const bsonObjectId: Format = {
  name: 'bsonobjectid',
  type: 'string',
  accepts: (text) => objectIdPattern.test(text),
};

/** A U.S. social security number; the length makes both separators mandatory. */
export const ssn: Format = {
  name: 'ssn',
  type: 'string',
  accepts: (text) => text.length === 11 && ssnPattern.test(text),
};

/** `#fff` or `#ffffff`; the hash sign is optional. */
export const hexcolor: Format = {
  name: 'hexcolor',
  type: 'string',
  accepts: (text) => hexcolorPattern.test(text),
};

/** `rgb(255, 255, 255)`, without leading zeros. */
export const rgbcolor: Format = {
  name: 'rgbcolor',
  type: 'string',
  accepts: (text) => rgbcolorPattern.test(text),
};

/** Any string: the format is a hint for user interfaces. */
export const password: Format = { name: 'password', type: 'string', accepts: () => true };
