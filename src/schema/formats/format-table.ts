import type { FeatureGates } from '../../meta/index.ts';
import { byte } from './byte.ts';
import { cidr } from './cidr.ts';
import { creditcard } from './creditcard.ts';
import { date } from './date.ts';
import { dateTime } from './date-time.ts';
import { duration } from './duration.ts';
import { email } from './email.ts';
import type { Format } from './format.ts';
import { hostname } from './hostname.ts';
import { ipv4, ipv6 } from './ip.ts';
import { isbn, isbn10, isbn13 } from './isbn.ts';
import { labelKey, labelValue } from './label.ts';
import { mac } from './mac.ts';
import { longName, shortName } from './name.ts';
import { bsonObjectId, hexcolor, password, rgbcolor, ssn } from './simple.ts';
import { uri } from './uri.ts';
import { uuid, uuid3, uuid4, uuid5 } from './uuid.ts';

/**
 * All enforced formats; others are ignored, with a warning when the CustomResourceDefinition is written.
 */
export const formats: readonly Format[] = Object.freeze([
  bsonObjectId,
  uri,
  email,
  hostname,
  ipv4,
  ipv6,
  cidr,
  mac,
  uuid,
  uuid3,
  uuid4,
  uuid5,
  isbn,
  isbn10,
  isbn13,
  creditcard,
  ssn,
  hexcolor,
  rgbcolor,
  byte,
  password,
  date,
  dateTime,
  duration,
  shortName,
  longName,
  labelKey,
  labelValue,
  { name: 'int32', type: 'integer' },
  { name: 'int64', type: 'integer' },
  { name: 'float', type: 'number' },
  { name: 'double', type: 'number' },
]);

const withoutDashes = (name: string) => name.replaceAll('-', '');

const stringFormats: ReadonlyMap<string, Format> = new Map(
  formats.filter(({ type }) => type === 'string').map((format) => [withoutDashes(format.name), format]),
);

/** The format of a schema with these types; undefined if it does not apply to them. */
export function findFormat(name: string, types: readonly string[], gates: FeatureGates): Format | undefined {
  if (name === '') return undefined;
  const type = types.length === 1 ? types[0] : 'string';
  if (type !== 'string') return formats.find((format) => format.type === type && format.name === name);
  const format = stringFormats.get(withoutDashes(name));
  if (format?.gate !== undefined && !gates[format.gate]) return undefined;
  return format;
}
