import type { Field } from '../../codec/index.ts';
import { canonicalTime, goJsonKind, type JsonValue, Float64, withoutFloat64 } from '../../meta/index.ts';
import { microTimeErrorText, timeErrorText } from '../../schema/index.ts';
import { base64Mistake } from './base64-mistake.ts';
import { canonicalQuantity } from './canonical-quantity.ts';
import type { TypedPlace, TypedRun } from './typed-run.ts';

/** Reads a value that is not null as Go would, and gives what Go would write again. */
type TypedScalar = (value: JsonValue, place: TypedPlace, run: TypedRun) => JsonValue;

const readString: TypedScalar = (value, place, run) => {
  if (typeof value !== 'string') run.mismatch(value, place);
  return value;
};

const readBool: TypedScalar = (value, place, run) => {
  if (typeof value !== 'boolean') run.mismatch(value, place);
  return value;
};

const int64Max = 2n ** 63n - 1n;
const int32Max = 2n ** 31n - 1n;

function integer(max: bigint): TypedScalar {
  return (value, place, run) => {
    if (value instanceof Float64) {
      run.mismatch(value, place, `number ${value.text}`);
      return value;
    }
    if (typeof value !== 'number' && typeof value !== 'bigint') run.mismatch(value, place);
    else if (!isWithin(value, max)) run.mismatch(value, place, `number ${value}`);
    return value;
  };
}

function isWithin(value: number | bigint, max: bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  return BigInt(value) <= max && BigInt(value) >= -max - 1n;
}

const readDouble: TypedScalar = (raw, place, run) => {
  const value = withoutFloat64(raw);
  if (typeof value !== 'number' && typeof value !== 'bigint') run.mismatch(value, place);
  else if (raw instanceof Float64 && !Number.isFinite(value)) run.mismatch(raw, place, `number ${raw.text}`);
  return value;
};

const readByte: TypedScalar = (value, place, run) => {
  if (typeof value !== 'number') run.mismatch(value, place);
  else if (value < 0 || value > 255 || !Number.isInteger(value))
    run.mismatch(value, place, `number ${value}`);
  return value;
};

/** Go takes a list of numbers for bytes, too. */
const readBytes: TypedScalar = (value, place, run) => {
  if (Array.isArray(value)) {
    const bytes = value.map((item) => readByte(item ?? 0, { ...place, goType: 'uint8' }, run));
    return Buffer.from(bytes.map(Number)).toString('base64');
  }
  if (typeof value !== 'string') {
    run.mismatch(value, place);
    return value;
  }
  const at = base64Mistake(value);
  if (at === undefined) return Buffer.from(value, 'base64').toString('base64');
  run.note(`illegal base64 data at input byte ${at}`);
  return value;
};

const zeroTime = '0001-01-01T00:00:00Z';

const readTime: TypedScalar = (value, place, run) => {
  if (typeof value !== 'string') {
    run.stopAtMismatch(value, { ...place, goType: 'string' });
    return value;
  }
  const text = canonicalTime(value);
  if (text === undefined) {
    run.stop(timeErrorText(value));
    return value;
  }
  return text === zeroTime ? null : text;
};

/** `2006-01-02T15:04:05.000000Z`: the six digits are required. Source: apimachinery, MicroTime.UnmarshalJSON. */
const readMicroTime: TypedScalar = (value, place, run) => {
  if (typeof value !== 'string') {
    run.stopAtMismatch(value, { ...place, goType: 'string' });
    return value;
  }
  const mistake = microTimeErrorText(value);
  const inSeconds = canonicalTime(value.replace(/[.,]\d+/, ''));
  if (mistake !== undefined || inSeconds === undefined) {
    run.stop(mistake ?? timeErrorText(value));
    return value;
  }
  const digits = /[.,](\d{6})/.exec(value)?.[1] ?? '000000';
  return inSeconds === zeroTime && Number(digits) === 0 ? null : inSeconds.replace('Z', `.${digits}Z`);
};

const readIntOrString: TypedScalar = (value, place, run) => {
  if (typeof value === 'string') return value;
  const fits = (typeof value === 'number' || typeof value === 'bigint') && isWithin(value, int32Max);
  const kind =
    goJsonKind(value) === 'number'
      ? `number ${value instanceof Float64 ? value.text : String(value)}`
      : undefined;
  if (!fits) run.stopAtMismatch(value, { ...place, goType: 'int32' }, kind);
  return value;
};

const readQuantity: TypedScalar = (value, _, run) => {
  const canonical = canonicalQuantity(value);
  if (!(canonical instanceof Error)) return canonical;
  run.stop(canonical.message);
  return value;
};

const readTexts: TypedScalar = (value, place, run) => {
  if (!Array.isArray(value)) run.mismatch(value, place);
  else
    for (const [index, item] of value.entries())
      value[index] = readString(item, { ...place, goType: 'string' }, run);
  return value;
};

/** What is read otherwise than by the fields of a message; what is missing here is JSON of any kind. */
export const typedScalars: ReadonlyMap<Field['type'], TypedScalar> = new Map([
  ['string', readString],
  ['bool', readBool],
  ['int32', integer(int32Max)],
  ['int64', integer(int64Max)],
  ['double', readDouble],
  ['bytes', readBytes],
  ['Time', readTime],
  ['MicroTime', readMicroTime],
  ['IntOrString', readIntOrString],
  ['Quantity', readQuantity],
  ['ExtraValue', readTexts],
  ['RawJson', (value) => value],
]);

/** What an absent value is in Go. */
export function zeroOf(type: Field['type']): JsonValue {
  switch (type) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'IntOrString':
      return 0;
    case 'Quantity':
      return '0';
    default:
      return null;
  }
}
