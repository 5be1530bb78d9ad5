import { type FieldError, forbidden, notSupported, required } from '../refusal/field-error.ts';
import { fieldManagerErrors } from '../object-meta/field-manager.ts';
import type { JsonObject } from '../value/value.ts';
import { queryBoolean, queryString } from './query.ts';
import { refuseOptions } from './refusal.ts';

/** How unknown and duplicate fields are handled. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of create and update, validated and with defaults. */
export interface WriteOptions {
  /** Does everything but the write. */
  readonly dryRun: boolean;
  /** The owner of the written fields; empty means the User-Agent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** The client's own value, for those who see its options; absent if it sent none. */
  readonly sentFieldValidation?: FieldValidation | undefined;
}

export type CreateOptions = WriteOptions;
export type UpdateOptions = WriteOptions;

/** The options of patch. */
export interface PatchOptions extends WriteOptions {
  /** For an apply: takes fields over from other managers. */
  readonly force: boolean;
}

/** @throws {StatusError} 422 `CreateOptions.meta.k8s.io "" is invalid: ...` */
export function parseCreateOptions(query: URLSearchParams): CreateOptions {
  refuseOptions('CreateOptions', writeErrors(query));
  return Object.freeze(readWriteOptions(query));
}

/** @throws {StatusError} 422 `UpdateOptions.meta.k8s.io "" is invalid: ...` */
export function parseUpdateOptions(query: URLSearchParams): UpdateOptions {
  refuseOptions('UpdateOptions', writeErrors(query));
  return Object.freeze(readWriteOptions(query));
}

/**
 * An apply requires a field manager; only an apply allows `force`.
 *
 * @throws {StatusError} 422 `PatchOptions.meta.k8s.io "" is invalid: ...`
 */
export function parsePatchOptions(
  query: URLSearchParams,
  patch: { readonly isApply: boolean },
): PatchOptions {
  const force = queryBoolean(query, 'force');
  const errors: FieldError[] = [];
  if (patch.isApply && queryString(query, 'fieldManager') === '') {
    errors.push(required('fieldManager', 'is required for apply patch'));
  }
  if (!patch.isApply && force !== undefined) {
    errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  }
  refuseOptions('PatchOptions', [...errors, ...writeErrors(query)]);
  return Object.freeze({ ...readWriteOptions(query), force: force ?? false });
}

function readWriteOptions(query: URLSearchParams): WriteOptions {
  const sentFieldValidation = knownValidation(queryString(query, 'fieldValidation'));
  return {
    dryRun: query.has('dryRun'),
    fieldManager: queryString(query, 'fieldManager'),
    fieldValidation: sentFieldValidation ?? 'Warn',
    sentFieldValidation,
  };
}

/**
 * The options as an API object, for admission. Options of a patch are shown as those of an update.
 * Source: apiserver, endpoints/handlers, patchToUpdateOptions.
 */
export function writeOptionsObject(
  kind: 'CreateOptions' | 'UpdateOptions',
  { dryRun, fieldManager, sentFieldValidation }: WriteOptions,
): JsonObject {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(sentFieldValidation === undefined ? {} : { fieldValidation: sentFieldValidation }),
  };
}

function writeErrors(query: URLSearchParams): FieldError[] {
  const validation = queryString(query, 'fieldValidation');
  const errors = [
    ...fieldManagerErrors('fieldManager', queryString(query, 'fieldManager')),
    ...dryRunErrors(query.getAll('dryRun')),
  ];
  if (validation !== '' && knownValidation(validation) === undefined) {
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  return errors;
}

function knownValidation(text: string): FieldValidation | undefined {
  return text === 'Ignore' || text === 'Warn' || text === 'Strict' ? text : undefined;
}

/** The only valid value is `All`, which may be repeated. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', [...values], ['All'])];
}
