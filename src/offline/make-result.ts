import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  ownString,
} from '../meta/index.ts';
import type { LoadedObject } from '../manifests/index.ts';
import type { CheckResult, Verdict } from './check-result.ts';
import { duplicateFindings, refusalFindings, textFindings } from './findings.ts';
import type { Answer } from '../client/index.ts';

const nothingFound = { errors: [], warnings: [], object: undefined } as const;

/** A result without a check. */
export function resultOf({ file, line, object }: LoadedObject, verdict: Verdict): CheckResult {
  return {
    file,
    line,
    apiVersion: ownString(object, 'apiVersion') ?? '',
    kind: ownString(object, 'kind') ?? '',
    namespace: namespaceOf(object),
    name: nameOf(object) || metadataString(object, 'generateName'),
    verdict,
    ...nothingFound,
  };
}

/** A result with one finding. */
export function failed(loaded: LoadedObject, verdict: Verdict, message: string): CheckResult {
  return { ...resultOf(loaded, verdict), errors: [{ message, field: '', line: loaded.line }] };
}

/** An unreadable file. */
export function unreadable(file: string, message: string): CheckResult {
  const nameless = { apiVersion: '', kind: '', namespace: '', name: '' };
  const line = Number(/\bline (\d+):/.exec(message)?.[1] ?? 1);
  const errors = [{ message, field: '', line }];
  return { file, line, ...nameless, ...nothingFound, verdict: 'error', errors };
}

/** The result for a response of the server. */
export function verdictOf(
  loaded: LoadedObject,
  { object, refusal, warnings }: Answer,
  { strict }: { readonly strict: boolean },
): CheckResult {
  const duplicates = duplicateFindings(loaded);
  const errors = [
    ...(refusal === undefined ? [] : refusalFindings(refusal, loaded)),
    ...(strict ? duplicates : []),
  ];
  return {
    ...resultOf(loaded, errors.length === 0 ? 'valid' : 'invalid'),
    errors,
    warnings: [...warnings.flatMap((text) => textFindings(text, loaded)), ...(strict ? [] : duplicates)],
    object: errors.length === 0 && object !== undefined ? withoutSystemMetadata(object) : undefined,
  };
}

/** Fields that the server sets differ in every run. */
function withoutSystemMetadata(object: KubeObject): KubeObject {
  const { creationTimestamp, generation, managedFields, resourceVersion, uid, ...metadata } =
    metadataOf(object);
  return { ...object, metadata };
}
