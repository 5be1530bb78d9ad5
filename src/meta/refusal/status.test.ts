import { describe, expect, test } from 'vitest';
import { forbidden, invalid, required } from './field-error.ts';
import {
  alreadyExistsError,
  badRequestError,
  conflictError,
  expiredError,
  forbiddenError,
  generateNameConflictError,
  internalError,
  invalidError,
  methodNotSupportedError,
  notAcceptableError,
  notFoundError,
  requestTooLargeError,
  StatusError,
  staleObjectText,
  timeoutError,
  tooLargeResourceVersionError,
  tooManyRequestsError,
  unauthorizedError,
  unavailableError,
  unsupportedMediaTypeError,
} from './status.ts';

const widgets = { group: 'example.com', resource: 'widgets' };
const namespaces = { group: '', resource: 'namespaces' };
const widget = { name: 'x', group: 'example.com', kind: 'widgets' };

describe('a refusal', () => {
  test.each<[StatusError, number, string, string, object | undefined]>([
    [notFoundError(widgets, 'x'), 404, 'NotFound', 'widgets.example.com "x" not found', widget],
    [
      notFoundError(namespaces, 'a"b'),
      404,
      'NotFound',
      'namespaces "a\\"b" not found',
      { name: 'a"b', kind: 'namespaces' },
    ],
    [
      alreadyExistsError(widgets, 'x'),
      409,
      'AlreadyExists',
      'widgets.example.com "x" already exists',
      widget,
    ],
    [
      alreadyExistsError(widgets, 'x', 'object is being deleted: '),
      409,
      'AlreadyExists',
      'object is being deleted: widgets.example.com "x" already exists',
      widget,
    ],
    [
      generateNameConflictError(widgets, 'x'),
      409,
      'AlreadyExists',
      'widgets.example.com "x" already exists, the server was not able to generate a unique name for the object',
      { ...widget, retryAfterSeconds: 1 },
    ],
    [
      conflictError(widgets, 'x', staleObjectText),
      409,
      'Conflict',
      'Operation cannot be fulfilled on widgets.example.com "x": the object has been modified; please apply your changes to the latest version and try again',
      widget,
    ],
    [badRequestError('why'), 400, 'BadRequest', 'why', undefined],
    [unauthorizedError(), 401, 'Unauthorized', 'Unauthorized', undefined],
    [
      forbiddenError(widgets, 'x', 'why'),
      403,
      'Forbidden',
      'widgets.example.com "x" is forbidden: why',
      widget,
    ],
    [
      forbiddenError(widgets, '', 'why'),
      403,
      'Forbidden',
      'widgets.example.com is forbidden: why',
      { group: 'example.com', kind: 'widgets' },
    ],
    [forbiddenError({ group: '', resource: '' }, '', 'why'), 403, 'Forbidden', 'forbidden: why', {}],
    [
      methodNotSupportedError(widgets, 'deletecollection'),
      405,
      'MethodNotAllowed',
      'deletecollection is not supported on resources of kind "widgets.example.com"',
      { group: 'example.com', kind: 'widgets' },
    ],
    [
      notAcceptableError(['a/b', 'c/d']),
      406,
      'NotAcceptable',
      'only the following media types are accepted: a/b, c/d',
      undefined,
    ],
    [
      unsupportedMediaTypeError(['a/b']),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: a/b',
      undefined,
    ],
    [
      requestTooLargeError('limit is 3'),
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 3',
      undefined,
    ],
    [expiredError('too old'), 410, 'Expired', 'too old', undefined],
    [tooManyRequestsError('slow down', 2), 429, 'TooManyRequests', 'slow down', { retryAfterSeconds: 2 }],
    [
      internalError('why'),
      500,
      'InternalError',
      'Internal error occurred: why',
      { causes: [{ message: 'why' }] },
    ],
    [unavailableError('later'), 503, 'ServiceUnavailable', 'later', undefined],
    [unavailableError('later', 5), 503, 'ServiceUnavailable', 'later', { retryAfterSeconds: 5 }],
    [timeoutError('why'), 504, 'Timeout', 'Timeout: why', {}],
    [
      tooLargeResourceVersionError(9, 7),
      504,
      'Timeout',
      'Timeout: Too large resource version: 9, current: 7',
      {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    ],
  ])('%#', (error, code, reason, message, details) => {
    expect(error.message).toBe(message);
    expect([error.code, error.reason]).toEqual([code, reason]);
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(details === undefined ? {} : { details }),
      code,
    });
  });

  test('goes over the wire in upstream’s order', () => {
    expect(JSON.stringify(invalidError({ group: 'g', kind: 'K' }, 'x', [required('spec')]).status)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"K.g \\"x\\" is invalid: spec: Required value","reason":"Invalid","details":{"name":"x","group":"g","kind":"K","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec"}]},"code":422}',
    );
    expect(JSON.stringify(expiredError('too old', 'abc').status.metadata)).toBe('{"continue":"abc"}');
  });

  test('without a reason leaves it out', () => {
    const { status } = new StatusError({ code: 500, message: '' });
    expect(status).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500 });
  });
});

describe('an invalid object', () => {
  const errors = [invalid('spec', 'v', 'why'), forbidden('spec.x', 'no'), invalid('spec', 'v', 'why')];

  test('has each text once in its message, and every error as a cause', () => {
    const { status } = invalidError({ group: '', kind: 'K' }, '', errors);
    expect(status.message).toBe('K "" is invalid: [spec: Invalid value: "v": why, spec.x: Forbidden: no]');
    expect(status.details).toEqual({
      kind: 'K',
      causes: [
        { reason: 'FieldValueInvalid', message: 'Invalid value: "v": why', field: 'spec' },
        { reason: 'FieldValueForbidden', message: 'Forbidden: no', field: 'spec.x' },
        { reason: 'FieldValueInvalid', message: 'Invalid value: "v": why', field: 'spec' },
      ],
    });
  });

  test('can be so without errors', () => {
    const { status } = invalidError({ group: 'g', kind: 'K' }, 'x', []);
    expect(status.message).toBe('K.g "x" is invalid');
    expect(status.details).toEqual({ name: 'x', group: 'g', kind: 'K' });
  });
});
