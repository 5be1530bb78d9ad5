import { type FieldError, forbidden, notSupported, required } from '../refusal/field-error.ts';
import { fieldManagerErrors } from '../object-meta/field-manager.ts';
import type { JsonObject } from '../value/value.ts';
import { queryBoolean, queryString } from './query.ts';
import { refuseOptions } from './refusal.ts';

/** What becomes of fields that the schema does not know, and of duplicate ones. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of create and update, checked and with defaults. */
export interface WriteOptions {
  /** Everything but the write is to be done. */
  readonly dryRun: boolean;
  /** Who owns the fields that are written; empty leaves it to the User-Agent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** What the client itself said of that, for those who are shown its options; absent where it said nothing. */
  readonly sentFieldValidation?: FieldValidation | undefined;
}

export type CreateOptions = WriteOptions;
export type UpdateOptions = WriteOptions;

/** The options of patch. */
export interface PatchOptions extends WriteOptions {
  /** Of an apply: take fields over from other managers. */
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
 * An apply must name its field manager; only an apply can be forced.
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
 * The options as an object of the API: what admission is shown. Those of a patch are shown as an update's.
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

/** `All` is the only thing that can be said, as often as one likes. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', [...values], ['All'])];
}
