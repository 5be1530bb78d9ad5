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

/** Gives an object in another `apiVersion`; undefined where that version does not exist (any more). Must not change it. */
export type ConvertNow = (object: KubeObject, apiVersion: string) => KubeObject | undefined;

/** As {@link ConvertNow}, for conversions that take their time, such as webhooks. */
export type ConvertLater = (object: KubeObject, apiVersion: string) => Promise<KubeObject | undefined>;

/** Options of a call whose conversions are there at once. */
interface ConvertsNow {
  readonly convert: ConvertNow;
}

/** Options of a call that waits for its conversions. */
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
 * Computes `metadata.managedFields` for a create, an update or a JSON or merge patch: what changed from `live` to
 * `next` belongs to the updater, and to nobody else any more. To be called on every such write, before admission
 * changes the object and after defaults are applied.
 *
 * Gives `next` with its managed fields; root and metadata are new, the rest is shared with `next`. Never fails: where
 * the managers cannot be computed (a conversion failed, the object does not have its type), the live ones stay and
 * `options.onFrozen` is told.
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

/** {@link update}, in steps. */
export function updateInSteps(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions & ConvertsNow,
): Steps<KubeObject> {
  return convertingInSteps(computeUpdate(live, next, options), converterNow(options));
}

/** {@link update} with conversions that take their time. It waits for none where all managers use one version. */
export function updateAsync(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions & ConvertsLater,
): Promise<KubeObject> {
  return runConvertingAsync(computeUpdate(live, next, options), converterLater(options));
}

/**
 * Server-side apply: lays a configuration over the live object, takes away what the applier applied before and
 * nobody owns any more, and gives the applier exactly the fields of the configuration.
 *
 * @param live the stored object in `options.apiVersion`, undefined where there is none: then it is created
 * @throws {ApplyConflictError} 409 where others own fields with other values and `force` is not set
 * @throws {StatusError} 400 for a configuration of another kind or with managed fields; 500, as upstream answers, for
 * one that does not have the kind's merge type or stored managed fields that cannot be read
 * @throws whatever `convert` throws
 */
export function apply(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions & ConvertsNow,
): ApplyResult {
  return atOnce(applyInSteps(live, applied, options));
}

/** {@link apply}, in steps. */
export function applyInSteps(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions & ConvertsNow,
): Steps<ApplyResult> {
  return convertingInSteps(computeApply(live, applied, options), converterNow(options));
}

/** {@link apply} with conversions that take their time. */
export function applyAsync(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions & ConvertsLater,
): Promise<ApplyResult> {
  return runConvertingAsync(computeApply(live, applied, options), converterLater(options));
}
