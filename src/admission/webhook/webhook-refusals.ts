import {
  badRequestError,
  goQuote,
  internalError,
  isObject,
  type JsonObject,
  own,
  ownString,
  StatusError,
  timeoutError,
} from '../../meta/index.ts';

/** What a client gets to hear of webhooks. Source: apiserver, webhook/errors/statuserror.go. */

/** The refusal of a webhook that denies the write, with its message. */
export function denied(name: string, result: JsonObject | undefined): StatusError {
  const said = result ?? {};
  const code = own(said, 'code');
  const [message, reason] = [ownString(said, 'message') ?? '', ownString(said, 'reason') ?? ''];
  const why = message === '' ? reason : message;
  const head = `admission webhook ${goQuote(name)} denied the request`;
  const details = own(said, 'details');
  return new StatusError({
    // An answer below 400 would not be taken for a refusal, and HTTP has none above 999.
    code: typeof code === 'number' && code >= 400 && code <= 999 ? Math.trunc(code) : 400,
    reason,
    message: why === '' ? `${head} without explanation` : `${head}: ${why}`,
    ...(isObject(details) ? { details } : {}),
  });
}

/** A webhook that could not be asked, or gave no proper answer. */
export function callFailure(name: string, why: string): StatusError {
  return internalError(`failed calling webhook ${goQuote(name)}: ${why}`);
}

export function dryRunUnsupported(name: string): StatusError {
  return badRequestError(`admission webhook ${goQuote(name)} does not support dry run`);
}

export function notMutable(name: string): StatusError {
  return internalError(
    `admission webhook ${goQuote(name)} attempted to modify the object, which is not supported for this operation`,
  );
}

/** The request was cancelled while its webhooks ran. */
export function requestTimedOut(): StatusError {
  return timeoutError('request did not complete within requested timeout');
}
