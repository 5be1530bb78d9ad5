import { atOnce, type JsonValue, type Steps } from '../../meta/index.ts';

/** A value in the version in which it is written. */
export interface VersionedValue {
  readonly value: JsonValue;
  readonly version: string;
}

/** One conversion that a computation needs before it can go on. */
export interface ConversionRequest {
  readonly value: JsonValue;
  readonly from: string;
  readonly to: string;
}

/**
 * A computation that stops wherever it needs a value in another version and goes on with the answer; undefined
 * answers that the version does not exist. Conversion may be a webhook: the same computation runs with a converter
 * that answers at once and with one that takes its time. Between its steps it asks for nothing, so that others may come
 * in between.
 */
export type Converting<T> = Generator<ConversionRequest | undefined, T, JsonValue | undefined>;

/** Runs a computation with a converter that answers at once. */
export function runConverting<T>(
  computation: Converting<T>,
  convert: (request: ConversionRequest) => JsonValue | undefined,
): T {
  return atOnce(convertingInSteps(computation, convert));
}

/** {@link runConverting}, in steps. */
export function* convertingInSteps<T>(
  computation: Converting<T>,
  convert: (request: ConversionRequest) => JsonValue | undefined,
): Steps<T> {
  let step = computation.next();
  while (step.done !== true) {
    if (step.value === undefined) yield;
    step = step.value === undefined ? computation.next() : answerNow(computation, convert, step.value);
  }
  return step.value;
}

function answerNow<T>(
  computation: Converting<T>,
  convert: (request: ConversionRequest) => JsonValue | undefined,
  request: ConversionRequest,
): IteratorResult<ConversionRequest | undefined, T> {
  let value: JsonValue | undefined;
  try {
    value = convert(request);
  } catch (error) {
    // The computation may have something to finish, such as keeping what was there before.
    return computation.throw(error);
  }
  return computation.next(value);
}

/** Runs a computation with a converter that may take its time. What it throws ends the computation. */
export async function runConvertingAsync<T>(
  computation: Converting<T>,
  convert: (request: ConversionRequest) => Promise<JsonValue | undefined>,
): Promise<T> {
  let step = computation.next();
  while (step.done !== true) {
    step = step.value === undefined ? computation.next() : await answer(computation, convert(step.value));
  }
  return step.value;
}

async function answer<T>(
  computation: Converting<T>,
  converted: Promise<JsonValue | undefined>,
): Promise<IteratorResult<ConversionRequest | undefined, T>> {
  let value: JsonValue | undefined;
  try {
    value = await converted;
  } catch (error) {
    return computation.throw(error);
  }
  return computation.next(value);
}

/** The value in a version; undefined where the version does not exist. Asks only where it has another version. */
export function* inVersion(object: VersionedValue, version: string): Converting<VersionedValue | undefined> {
  if (object.version === version) return object;
  const value = yield { value: object.value, from: object.version, to: version };
  return value === undefined ? undefined : { value, version };
}
