import { atOnce, type JsonValue, type Steps } from '../../meta/index.ts';

/** A value in the version in which it was written. */
export interface VersionedValue {
  readonly value: JsonValue;
  readonly version: string;
}

/** One conversion that a computation needs to continue. */
export interface ConversionRequest {
  readonly value: JsonValue;
  readonly from: string;
  readonly to: string;
}

/**
 * A generator that yields whenever it needs a value in another version and continues with the answer; undefined means
 * that the version does not exist. Conversion may be a webhook: the same computation runs with a synchronous and with
 * an asynchronous converter. Between its steps it yields nothing, so that other requests can run.
 */
export type Converting<T> = Generator<ConversionRequest | undefined, T, JsonValue | undefined>;

/** Steps of a computation in which nothing is converted. */
export function* withoutConversions<T>(steps: Steps<T>): Converting<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield;
  }
}

/** Runs a computation with a synchronous converter. */
export function runConverting<T>(
  computation: Converting<T>,
  convert: (request: ConversionRequest) => JsonValue | undefined,
): T {
  return atOnce(convertingInSteps(computation, convert));
}

/** {@link runConverting}, as steps. */
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
    // The computation may need to clean up, for instance restore the previous managers.
    return computation.throw(error);
  }
  return computation.next(value);
}

/** Runs a computation with an asynchronous converter. An exception of the converter ends the computation. */
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

/** The value in a version; undefined if the version does not exist. Converts only if the versions differ. */
export function* inVersion(object: VersionedValue, version: string): Converting<VersionedValue | undefined> {
  if (object.version === version) return object;
  const value = yield { value: object.value, from: object.version, to: version };
  return value === undefined ? undefined : { value, version };
}
