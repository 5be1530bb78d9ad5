import type { KubeObject, RunSteps } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { type Change, encodeChange } from './encode-change.ts';
import { renderWritten, type WrittenAt } from './response-object.ts';
import { encodeStored, type StoredBytes } from './encode-stored.ts';
import { refuseTooLarge } from './stored-size.ts';

/** A write that only has to be committed. */
interface PreparedWrite extends StoredBytes {
  /** What the client is shown. */
  readonly response: WrittenAt;
}

/**
 * Makes everything that the write of a new object needs, before anything is stored; a promise only where a webhook
 * converts, or where `run` takes its time for the encoding of a large object.
 *
 * @throws {StatusError} 500 where that fails or the object is too large; then nothing has been written
 */
export function prepareNew(
  object: KubeObject,
  served: Represented,
  run?: RunSteps,
): PreparedWrite | Promise<PreparedWrite> {
  return withAnswer(encodeStored(object, served, undefined, run), { object, served, replaces: 0 });
}

/** As {@link prepareNew}, for the write of a changed object. */
export function prepareChange(
  object: KubeObject,
  change: Change,
  run?: RunSteps,
): PreparedWrite | Promise<PreparedWrite> {
  const replaces = change.present.value.length;
  return withAnswer(encodeChange(object, change, run), { object, served: change.target, replaces });
}

/** What the bytes of a write were made of. */
interface Write {
  readonly object: KubeObject;
  readonly served: Represented;
  /** The bytes that it takes the place of. */
  readonly replaces: number;
}

function withAnswer(
  stored: StoredBytes | Promise<StoredBytes>,
  write: Write,
): PreparedWrite | Promise<PreparedWrite> {
  if (stored instanceof Promise) return stored.then((bytes) => withAnswer(bytes, write));
  refuseTooLarge(stored.value.length, write.replaces);
  const response = renderWritten(write.object, stored, write.served);
  return response instanceof Promise
    ? response.then((answer) => ({ ...stored, response: answer }))
    : { ...stored, response };
}
