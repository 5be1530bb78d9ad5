import { aggregateText, type FieldError, fieldErrorBody } from './field-error.ts';
import { goQuote } from '../go/go-text.ts';
import { qualify } from '../names/group-version.ts';

/** A machine-readable part of a refusal. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The object of a refusal. `kind` contains the plural resource name if the refusal is about a resource. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** `metav1.Status`, in wire order. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A refusal: the request was understood, and this Status is the answer. The only error that clients see. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status & { readonly code: number };

  constructor(parts: {
    code: number;
    reason?: string;
    message: string;
    details?: StatusDetails;
    metadata?: Status['metadata'];
  }) {
    super(parts.message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: parts.metadata ?? {},
      status: 'Failure',
      ...(parts.message === '' ? {} : { message: parts.message }),
      ...(parts.reason === undefined || parts.reason === '' ? {} : { reason: parts.reason }),
      ...(parts.details === undefined ? {} : { details: parts.details }),
      code: parts.code,
    };
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** A resource in error messages. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

function details(resource: GroupResource, name: string, more: StatusDetails = {}): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
    ...more,
  };
}

function resourceText(resource: GroupResource): string {
  return qualify(resource.resource, resource.group);
}

/** 404 `widgets.example.com "x" not found` */
export function notFoundError(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${resourceText(resource)} ${goQuote(name)} not found`,
    details: details(resource, name),
  });
}

/** 409 `widgets.example.com "x" already exists` */
export function alreadyExistsError(resource: GroupResource, name: string, prefix = ''): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${prefix}${resourceText(resource)} ${goQuote(name)} already exists`,
    details: details(resource, name),
  });
}

/** 409 after every generated name was taken. */
export function generateNameConflictError(resource: GroupResource, name: string): StatusError {
  const what = `${resourceText(resource)} ${goQuote(name)} already exists`;
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${what}, the server was not able to generate a unique name for the object`,
    details: details(resource, name, { retryAfterSeconds: 1 }),
  });
}

/** 409 `Operation cannot be fulfilled on widgets.example.com "x": why` */
export function conflictError(resource: GroupResource, name: string, why: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${resourceText(resource)} ${goQuote(name)}: ${why}`,
    details: details(resource, name),
  });
}

/** The reason of {@link conflictError} for an update with a stale resourceVersion. */
export const staleObjectText =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 422 with every field error as a cause; duplicates are printed once. */
export function invalidError(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const head = `${qualify(kind.kind, kind.group)} ${goQuote(name)} is invalid`;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: errors.length === 0 ? head : `${head}: ${aggregateText(errors)}`,
    details: details(
      { group: kind.group, resource: kind.kind },
      name,
      errors.length === 0 ? {} : { causes: errors.map(causeOf) },
    ),
  });
}

function causeOf(error: FieldError): StatusCause {
  return { reason: error.type, message: fieldErrorBody(error), field: error.field };
}

/** 400 with this message. */
export function badRequestError(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

/** 401 */
export function unauthorizedError(message = 'Unauthorized'): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message });
}

/** 403 `widgets.example.com "x" is forbidden: why` */
export function forbiddenError(resource: GroupResource, name: string, why: string): StatusError {
  const what = resourceText(resource);
  const subject = what === '' ? 'forbidden' : `${what}${name === '' ? '' : ` ${goQuote(name)}`} is forbidden`;
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject}: ${why}`,
    details: details(resource, name),
  });
}

/** 405 `delete is not supported on resources of kind "widgets.example.com"` */
export function methodNotSupportedError(resource: GroupResource, action: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind "${resourceText(resource)}"`,
    details: details(resource, ''),
  });
}

/** 405 and 404 of upstream's router for built-in kinds, which come before the resource is known. */
export function routeMethodError(): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function routeNotFoundError(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

/** 406 */
export function notAcceptableError(accepted: readonly string[]): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
  });
}

/** 415 */
export function unsupportedMediaTypeError(accepted: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

/** 413 */
export function requestTooLargeError(why: string): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: ${why}`,
  });
}

/** 410, which tells a client to list again; may contain a new continue token. */
export function expiredError(message: string, continueToken?: string): StatusError {
  return new StatusError({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken === undefined ? {} : { metadata: { continue: continueToken } }),
  });
}

/** 429 with this message. */
export function tooManyRequestsError(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } });
}

/** 500 `Internal error occurred: why` */
export function internalError(why: string): StatusError {
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
  });
}

/** 503 with this message. */
export function unavailableError(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError({
    code: 503,
    reason: 'ServiceUnavailable',
    message,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  });
}

/** 504 `Timeout: why` */
export function timeoutError(why: string, more: StatusDetails = {}): StatusError {
  return new StatusError({ code: 504, reason: 'Timeout', message: `Timeout: ${why}`, details: more });
}

/** 504 for a resourceVersion that this server has not reached. */
export function tooLargeResourceVersionError(requested: number | bigint, current: number): StatusError {
  return timeoutError(`Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
