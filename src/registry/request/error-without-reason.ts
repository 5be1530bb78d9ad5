import { StatusError } from '../../meta/index.ts';

/** A refusal with a code and a text but no reason: how upstream sends errors that are no Status of their own. */
export function errorWithoutReason(code: number, message: string): StatusError {
  return new StatusError({ code, message });
}
