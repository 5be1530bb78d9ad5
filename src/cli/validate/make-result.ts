import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  ownString,
} from '../../meta/index.ts';
import type { LoadedObject } from '../../manifests/index.ts';
import type { CheckResult, Verdict } from './check-result.ts';
import { duplicateFindings, refusalFindings, textFindings } from './findings.ts';
import type { Answer } from '../api-client.ts';

const nothingFound = { errors: [], warnings: [], object: undefined } as const;

/** A verdict that stands before anything was looked at. */
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

/** A verdict with one reason for it. */
export function failed(loaded: LoadedObject, verdict: Verdict, message: string): CheckResult {
  return { ...resultOf(loaded, verdict), errors: [{ message, field: '', line: loaded.line }] };
}

/** A file that cannot be read. */
export function unreadable(file: string, message: string): CheckResult {
  const nameless = { apiVersion: '', kind: '', namespace: '', name: '' };
  const line = Number(/\bline (\d+):/.exec(message)?.[1] ?? 1);
  const errors = [{ message, field: '', line }];
  return { file, line, ...nameless, ...nothingFound, verdict: 'error', errors };
}

/** What an answer of the server means. */
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

/** What a server sets by itself would be another with every run. */
function withoutSystemMetadata(object: KubeObject): KubeObject {
  const { creationTimestamp, generation, managedFields, resourceVersion, uid, ...metadata } =
    metadataOf(object);
  return { ...object, metadata };
}
