import { StatusError } from '../../meta/index.ts';
import { allVerbs, type FaultKind } from '../fault-kind.ts';

/** Answers with an error Status, such as 500 or 503, before or after the request was handled. */
export interface ErrorFault {
  readonly fault: 'error';
  /** 400 to 599. */
  readonly code: number;
  readonly message?: string;
  /** `after`: the request is handled, but the client gets the error. Defaults to `before`. */
  readonly when?: 'before' | 'after';
  readonly retryAfterSeconds?: number;
}

/** The other fields of a Status for a code. Source: apimachinery, pkg/api/errors, NewGenericServerResponse. */
const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

export const errorKind: FaultKind = {
  name: 'error',
  verbs: allVerbs,
  read(reader) {
    const code = reader.requiredNumber('code', { min: 400, max: 599, integer: true });
    const message = reader.text('message', 'injected fault');
    const when = reader.choice('when', ['before', 'after']);
    const retryAfterSeconds = reader.number('retryAfterSeconds', { min: 0, integer: true }, undefined);
    return {
      async act({ next, watch }) {
        if (when === 'after' && watch === undefined) await next();
        throw new StatusError({
          code,
          reason: reasons.get(code) ?? 'InternalError',
          message,
          ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
        });
      },
    };
  },
};
