import type { IncrementalTest, IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { declare, type DeclaredType } from '../types/declared-type.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration } from '../values/duration.ts';
import { intOf } from '../values/int.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { CelTimestamp } from '../values/timestamp.ts';
import { CelType } from '../values/type-value.ts';
import { CelUint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';

type SpecTest = IncrementalTest['original'];
type Matcher = SpecTest['resultMatcher'];
/** A value in cel-spec's format. */
type SpecValue = Extract<Matcher, { case: 'value' }>['value'];
/** A type in cel-spec's format. */
type SpecType = NonNullable<
  Extract<SpecTest['typeEnv'][number]['declKind'], { case: 'ident' }>['value']['type']
>;

/** A test that needs protobuf messages. */
class NeedsProtobuf extends Error {}

/** All tests of a suite, named by their path. */
export function* testsOf(
  suite: IncrementalTestSuite,
  path = '',
): Generator<{ name: string; test: IncrementalTest }> {
  const here = path === '' ? suite.name : `${path}/${suite.name}`;
  for (const test of suite.tests) yield { name: `${here}/${test.name}`, test };
  for (const inner of suite.suites) yield* testsOf(inner, here);
}

/** Converts a cel-spec value. */
export function fromSpec(value: SpecValue): Value {
  const { kind } = value;
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return kind.value;
    case 'int64Value':
      return intOf(kind.value);
    case 'uint64Value':
      return new CelUint(kind.value);
    case 'doubleValue':
      return new CelDouble(kind.value);
    case 'bytesValue':
      return new CelBytes(kind.value);
    case 'typeValue':
      return new CelType(kind.value);
    case 'listValue':
      return new ArrayList(kind.value.values.map(fromSpec));
    case 'mapValue':
      return EntryMap.of(
        kind.value.entries.map(
          ({ key, value: inner }) => [optionalValue(key), optionalValue(inner)] as const,
        ),
      );
    case 'objectValue':
      return wellKnown(kind.value.typeUrl, kind.value.value);
    default:
      throw new NeedsProtobuf(String(kind.case));
  }
}

function optionalValue(value: SpecValue | undefined): Value {
  return value === undefined ? null : fromSpec(value);
}

/** Timestamps and durations, both with seconds and nanoseconds. */
function wellKnown(typeUrl: string, bytes: Uint8Array): Value {
  const { seconds, nanos } = secondsAndNanos(bytes);
  if (typeUrl.endsWith('.Timestamp')) return new CelTimestamp(Number(seconds), Number(nanos));
  if (typeUrl.endsWith('.Duration')) return new CelDuration(seconds * 1_000_000_000n + nanos);
  throw new NeedsProtobuf(typeUrl);
}

function secondsAndNanos(bytes: Uint8Array): { seconds: bigint; nanos: bigint } {
  const fields = [0n, 0n, 0n];
  for (let offset = 0; offset < bytes.length; ) {
    const field = (bytes[offset++] ?? 0) >> 3;
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[offset++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    fields[field] = BigInt.asIntN(64, value);
  }
  return { seconds: fields[1] ?? 0n, nanos: BigInt.asIntN(32, fields[2] ?? 0n) };
}

const primitives = [
  undefined,
  declare.bool,
  declare.int,
  declare.uint,
  declare.double,
  declare.string,
  declare.bytes,
];
const wellKnowns = [undefined, declare.dyn, declare.timestamp, declare.duration];

/** Converts a cel-spec type to a declaration. */
export function typeFromSpec(type: SpecType | undefined): DeclaredType {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case 'primitive':
      return primitives[kind.value]?.() ?? declare.dyn();
    case 'wellKnown':
      return wellKnowns[kind.value]?.() ?? declare.dyn();
    case 'listType':
      return declare.list(typeFromSpec(kind.value.elemType));
    case 'mapType':
      return declare.map(typeFromSpec(kind.value.valueType), { keys: typeFromSpec(kind.value.keyType) });
    case 'null':
      return declare.null();
    case 'dyn':
      return declare.dyn();
    case 'abstractType':
      if (kind.value.name !== 'optional_type') throw new NeedsProtobuf(kind.value.name);
      return declare.optional(typeFromSpec(kind.value.parameterTypes[0]));
    default:
      throw new NeedsProtobuf(String(kind?.case));
  }
}
