import {
  goJson,
  isObject,
  type JsonObject,
  type KubeObject,
  limits,
  metadataOf,
  own,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { compareTyped } from '../typed/compare.ts';
import { parseExactJson } from '../field-set/exact-json.ts';
import type { FieldSet } from '../field-set/field-set.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { checkTyped } from '../typed/validate.ts';

/** The annotation in which client-side `kubectl apply` stores the configuration that it sent. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The only manager for which the annotation is used. */
export const kubectlManager = 'kubectl';

function lastAppliedOf(object: KubeObject): string {
  return ownString(ownObject(metadataOf(object), 'annotations') ?? {}, lastAppliedAnnotation) ?? '';
}

/**
 * The fields that kubectl applied client-side and that are unchanged since: on the move to server-side apply, kubectl
 * may take them without a conflict. Undefined if there is no such annotation or it cannot be compared.
 */
export function allowedByLastApplied(
  live: KubeObject,
  { apiVersion, type }: { readonly apiVersion: string; readonly type: MergeType },
): FieldSet | undefined {
  const applied = parseObject(lastAppliedOf(live));
  if (applied === undefined || own(applied, 'apiVersion') !== apiVersion) return undefined;
  const strict = { allowDuplicates: false };
  if (checkTyped(type, live, strict).length > 0 || checkTyped(type, applied, strict).length > 0)
    return undefined;
  const { added, modified, removed } = compareTyped(type, applied, live);
  return toFieldSet(type, applied).difference(modified).difference(added).difference(removed);
}

function parseObject(text: string): JsonObject | undefined {
  if (text === '') return undefined;
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Updates the annotation when kubectl applies server-side to an object that has it, so that older clients can go back
 * to client-side apply. Drops it if it would make the annotations too large. Changes `object`.
 */
export function refreshLastApplied(object: KubeObject, applied: KubeObject): void {
  const annotations = ownObject(metadataOf(object), 'annotations');
  if (annotations === undefined || lastAppliedOf(object) === '') return;
  annotations[lastAppliedAnnotation] = `${goJson(withoutLastApplied(applied))}\n`;
  if (sizeBytes(annotations) > limits.annotationsBytesMax) delete annotations[lastAppliedAnnotation];
}

function withoutLastApplied(applied: KubeObject): KubeObject {
  const metadata = metadataOf(applied);
  const annotations = ownObject(metadata, 'annotations');
  if (annotations === undefined) return applied;
  const { [lastAppliedAnnotation]: _, ...others } = annotations;
  return { ...applied, metadata: { ...metadata, annotations: others } };
}

function sizeBytes(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (size, [key, value]) =>
      size + Buffer.byteLength(key) + Buffer.byteLength(typeof value === 'string' ? value : ''),
    0,
  );
}
