import {
  atOnce,
  invariant,
  isObject,
  type JsonValue,
  type KubeObject,
  type Steps,
} from '../../meta/index.ts';
import { type ApplyOptions, type ApplyResult, computeApply } from './compute-apply.ts';
import { computeUpdate } from './compute-update.ts';
import { type ConversionRequest, convertingInSteps, runConvertingAsync } from './conversion.ts';
import type { FieldWriteOptions } from './field-write.ts';

/**
 * Converts an object to another `apiVersion`; undefined if that version does not exist (any more). Must not change
 * the object.
 */
export type ConvertNow = (object: KubeObject, apiVersion: string) => KubeObject | undefined;

/** Like {@link ConvertNow}, for asynchronous conversions, such as webhooks. */
export type ConvertLater = (object: KubeObject, apiVersion: string) => Promise<KubeObject | undefined>;

/** Options of a call with synchronous conversions. */
interface ConvertsNow {
  readonly convert: ConvertNow;
}

/** Options of a call with asynchronous conversions. */
interface ConvertsLater {
  readonly convert: ConvertLater;
}

function objectIn({ value }: ConversionRequest): KubeObject {
  invariant(isObject(value), 'only whole objects are converted');
  return value;
}

function converterNow({ convert }: ConvertsNow) {
  return (request: ConversionRequest): JsonValue | undefined => convert(objectIn(request), request.to);
}

function converterLater({ convert }: ConvertsLater) {
  return async (request: ConversionRequest): Promise<JsonValue | undefined> =>
    await convert(objectIn(request), request.to);
}

/**
 * Computes `metadata.managedFields` for a create, an update or a JSON or merge patch: the fields that changed from
 * `live` to `next` belong to the updater only. Call it on every such write, before admission changes
 * the object and after defaulting.
 *
 * Returns `next` with its managed fields; root and metadata are new, the rest is shared with `next`. Never fails: if
 * the managers cannot be computed (a conversion failed, the object does not match its type), the live ones stay and
 * `options.onFrozen` is called.
 *
 * @param live the stored object in `options.apiVersion`, undefined on create
 */
export function update(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions & ConvertsNow,
): KubeObject {
  return atOnce(updateInSteps(live, next, options));
}

/** {@link update}, as steps. */
export function updateInSteps(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions & ConvertsNow,
): Steps<KubeObject> {
  return convertingInSteps(computeUpdate(live, next, options), converterNow(options));
}

/** {@link update} with asynchronous conversions. It converts nothing if all managers use one version. */
export function updateAsync(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions & ConvertsLater,
): Promise<KubeObject> {
  return runConvertingAsync(computeUpdate(live, next, options), converterLater(options));
}

/**
 * Server-side apply: merges a configuration into the live object, removes fields that the applier applied before and
 * no manager owns any more, and makes the applier own exactly the fields of the configuration.
 *
 * @param live the stored object in `options.apiVersion`; undefined if there is none: then it is created
 * @throws {ApplyConflictError} 409 if others own fields with other values and `force` is not set
 * @throws {StatusError} 400 for a configuration of another kind or with managed fields; 500, as upstream, for a
 * configuration that does not match the kind's merge type, or for invalid stored managed fields
 * @throws whatever `convert` throws
 */
export function apply(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions & ConvertsNow,
): ApplyResult {
  return atOnce(applyInSteps(live, applied, options));
}

/** {@link apply}, as steps. */
export function applyInSteps(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions & ConvertsNow,
): Steps<ApplyResult> {
  return convertingInSteps(computeApply(live, applied, options), converterNow(options));
}

/** {@link apply} with asynchronous conversions. */
export function applyAsync(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions & ConvertsLater,
): Promise<ApplyResult> {
  return runConvertingAsync(computeApply(live, applied, options), converterLater(options));
}
