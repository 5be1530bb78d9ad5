import type { SchemaNode } from '../schema-node.ts';

/** The maximum size of a request body, from which the sizes of unlimited values are derived. */
const requestBytesMax = 3 * 1024 * 1024;

/** JSON sizes of values with a format. */
export const formattedBytes = Object.freeze({
  durationMin: 3,
  durationMax: 32,
  date: 12,
  dateTimeMin: 21,
  dateTimeMax: 32,
});

/** The minimum JSON size of each type. */
export const minBytes = Object.freeze({ string: 2, boolean: 4, number: 1, container: 2 });

/** `maxLength` counts characters of up to four bytes. */
const bytesPerCharacter = 4;

function limitOf(limit: number): number {
  return Math.max(0, Math.trunc(limit));
}

/** The maximum size of a string in bytes. */
export function maxTextBytes(node: SchemaNode): number {
  if (node.maxLength !== undefined) return limitOf(node.maxLength) * bytesPerCharacter;
  if (node.enum.length === 0 || node.intOrString) return requestBytesMax - 2;
  const lengths = node.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return lengths.reduce((longest, length) => Math.max(longest, length), 0);
}

/** The maximum size of base64 data: `maxLength` counts encoded characters. */
export function maxBase64Bytes({ maxLength }: SchemaNode): number {
  return maxLength === undefined ? requestBytesMax - 2 : limitOf(maxLength);
}

/**
 * The key length that cost estimation of a map's rules assumes: zero without a limit, so that no rule costs more than
 * upstream.
 */
export function maxKeyBytes({ propertyNames }: SchemaNode): number {
  return propertyNames?.maxLength === undefined ? 0 : limitOf(propertyNames.maxLength) * bytesPerCharacter;
}

/** The maximum number of items: brackets once, one comma each. */
export function maxItems(node: SchemaNode, itemBytesMin: number): number {
  if (node.maxItems !== undefined) return limitOf(node.maxItems);
  return Math.floor((requestBytesMax - 2) / (itemBytesMin + 1));
}

/** The maximum number of entries: braces once, a key of two characters with quotes, a colon and a comma each. */
export function maxProperties(node: SchemaNode, valueBytesMin: number): number {
  if (node.maxProperties !== undefined) return limitOf(node.maxProperties);
  return Math.floor((requestBytesMax - 2) / (valueBytesMin + 6));
}

/** How many values of a size fit into a request. */
export function maxOccurrences(bytesMin: number): bigint {
  return BigInt(Math.floor(requestBytesMax / (bytesMin + 1)));
}
