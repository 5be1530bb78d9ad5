import type { Format } from './format.ts';

const labelPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** A DNS label: lower-case letters, digits and inner dashes, at most 63 characters. */
export const shortName: Format = {
  name: 'k8s-short-name',
  type: 'string',
  accepts: (text) => text.length <= 63 && labelPattern.test(text),
};

/** Labels joined by dots, at most 253 characters; a label may be longer than 63. */
export const longName: Format = {
  name: 'k8s-long-name',
  type: 'string',
  accepts: (text) => text.length <= 253 && text.split('.').every((part) => labelPattern.test(part)),
};
