import { type FunctionDeclaration, globalOverload } from '../functions/function.ts';
import { any, bool, bytes, double, duration, int, string, timestamp, uint } from '../functions/param.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  typeOfType,
  typeParam,
  uintType,
} from '../types/type.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelError } from '../values/cel-error.ts';
import { CelDouble } from '../values/double.ts';
import { formatDuration, parseGoDuration } from '../values/duration.ts';
import { formatGoFloat, parseGoBool, parseGoFloat, parseGoInt, parseGoUint } from '../values/go-numbers.ts';
import { checkedInt, intOverflow } from '../values/int.ts';
import { checkedTimestamp, formatTimestamp, parseRfc3339 } from '../values/timestamp.ts';
import { typeNameOf } from '../values/type-name.ts';
import { CelType } from '../values/type-value.ts';
import { checkedUint, uintOverflow } from '../values/uint-arithmetic.ts';
import type { CelInt, Result } from '../values/value.ts';

const a = typeParam('A');

function notConvertible(to: string): CelError {
  return new CelError(`type conversion error from 'string' to '${to}'`);
}

const toInt: FunctionDeclaration = {
  name: 'int',
  overloads: [
    globalOverload('int64_to_int64', [int], intType, (value) => value),
    globalOverload('double_to_int64', [double], intType, ({ value }) => intOfDouble(value)),
    globalOverload('duration_to_int64', [duration], intType, ({ nanos }) => checkedInt(nanos)),
    globalOverload('string_to_int64', [string], intType, (text) => parseGoInt(text) ?? notConvertible('int')),
    globalOverload('timestamp_to_int64', [timestamp], intType, ({ seconds }) => seconds),
    globalOverload('uint64_to_int64', [uint], intType, ({ value }) => checkedInt(value)),
  ],
};

/** Truncates; the bounds themselves overflow, because they are inexact as doubles. */
function intOfDouble(value: number): CelInt | CelError {
  if (Number.isNaN(value) || value <= -(2 ** 63) || value >= 2 ** 63) return intOverflow;
  return checkedInt(BigInt(Math.trunc(value)));
}

const toUint: FunctionDeclaration = {
  name: 'uint',
  overloads: [
    globalOverload('uint64_to_uint64', [uint], uintType, (value) => value),
    globalOverload('double_to_uint64', [double], uintType, ({ value }) =>
      value >= 0 && value < 2 ** 64 ? checkedUint(BigInt(Math.trunc(value))) : uintOverflow,
    ),
    globalOverload('int64_to_uint64', [int], uintType, (value) => checkedUint(BigInt(value))),
    globalOverload(
      'string_to_uint64',
      [string],
      uintType,
      (text) => parseGoUint(text) ?? notConvertible('uint'),
    ),
  ],
};

const toDouble: FunctionDeclaration = {
  name: 'double',
  overloads: [
    globalOverload('double_to_double', [double], doubleType, (value) => value),
    globalOverload('int64_to_double', [int], doubleType, (value) => new CelDouble(Number(value))),
    globalOverload('string_to_double', [string], doubleType, (text) => {
      const value = parseGoFloat(text);
      return value === undefined ? notConvertible('double') : new CelDouble(value);
    }),
    globalOverload('uint64_to_double', [uint], doubleType, ({ value }) => new CelDouble(Number(value))),
  ],
};

const toText: FunctionDeclaration = {
  name: 'string',
  overloads: [
    globalOverload('string_to_string', [string], stringType, (value) => value),
    globalOverload('bool_to_string', [bool], stringType, String),
    globalOverload('bytes_to_string', [bytes], stringType, textOfBytes),
    globalOverload('double_to_string', [double], stringType, ({ value }) => formatGoFloat(value)),
    globalOverload('duration_to_string', [duration], stringType, formatDuration),
    globalOverload('int64_to_string', [int], stringType, String),
    globalOverload('timestamp_to_string', [timestamp], stringType, formatTimestamp),
    globalOverload('uint64_to_string', [uint], stringType, ({ value }) => String(value)),
  ],
};

function textOfBytes(value: CelBytes): Result {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value.bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const toBool: FunctionDeclaration = {
  name: 'bool',
  overloads: [
    globalOverload('bool_to_bool', [bool], boolType, (value) => value),
    globalOverload(
      'string_to_bool',
      [string],
      boolType,
      (text) => parseGoBool(text) ?? notConvertible('bool'),
    ),
  ],
};

const toBytes: FunctionDeclaration = {
  name: 'bytes',
  overloads: [
    globalOverload('bytes_to_bytes', [bytes], bytesType, (value) => value),
    globalOverload('string_to_bytes', [string], bytesType, (text) => new CelBytes(Buffer.from(text, 'utf8'))),
  ],
};

const toDuration: FunctionDeclaration = {
  name: 'duration',
  overloads: [
    globalOverload('duration_to_duration', [duration], durationType, (value) => value),
    globalOverload(
      'string_to_duration',
      [string],
      durationType,
      (text) => parseGoDuration(text) ?? notConvertible('google.protobuf.Duration'),
    ),
  ],
};

const toTimestamp: FunctionDeclaration = {
  name: 'timestamp',
  overloads: [
    globalOverload('timestamp_to_timestamp', [timestamp], timestampType, (value) => value),
    globalOverload('int64_to_timestamp', [int], timestampType, (seconds) =>
      checkedTimestamp(Number(seconds), 0),
    ),
    globalOverload(
      'string_to_timestamp',
      [string],
      timestampType,
      (text) => parseRfc3339(text) ?? notConvertible('google.protobuf.Timestamp'),
    ),
  ],
};

/** Type conversions, `type` and `dyn`. All are folded for constant arguments. */
export const conversions: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [globalOverload('type', [any(a)], typeOfType(a), (value) => new CelType(typeNameOf(value)))],
  },
  toBool,
  toBytes,
  toDouble,
  toDuration,
  { name: 'dyn', overloads: [globalOverload('to_dyn', [any(a)], dynType, (value) => value)] },
  toInt,
  toText,
  toTimestamp,
  toUint,
];

/** Their names; see constants.ts. */
export const conversionNames: ReadonlySet<string> = new Set(conversions.map(({ name }) => name));
