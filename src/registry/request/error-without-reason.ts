import { StatusError } from '../../meta/index.ts';

/** A refusal with a code and a message but no reason: upstream sends such for errors that are not a Status. */
export function errorWithoutReason(code: number, message: string): StatusError {
  return new StatusError({ code, message });
}
