import type { KubeObject, RunSteps } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { type Change, encodeChange } from './encode-change.ts';
import { renderWritten, type WrittenAt } from './response-object.ts';
import { encodeStored, type StoredBytes } from './encode-stored.ts';
import { refuseTooLarge } from './stored-size.ts';

/** A write that is ready to be committed. */
interface PreparedWrite extends StoredBytes {
  /** The response for the client. */
  readonly response: WrittenAt;
}

/**
 * Prepares the write of a new object completely, before anything is stored.
 *
 * @param run encodes a large object in slices
 * @throws {StatusError} 500 if that fails or the object is too large; nothing has been written then
 */
export async function prepareNew(
  object: KubeObject,
  served: Represented,
  run?: RunSteps,
): Promise<PreparedWrite> {
  return withResponse(await encodeStored(object, served, undefined, run), { object, served, replaces: 0 });
}

/** Like {@link prepareNew}, for the write of a changed object. */
export async function prepareChange(
  object: KubeObject,
  change: Change,
  run?: RunSteps,
): Promise<PreparedWrite> {
  const replaces = change.present.value.length;
  return withResponse(await encodeChange(object, change, run), { object, served: change.target, replaces });
}

/** The inputs of a prepared write. */
interface Write {
  readonly object: KubeObject;
  readonly served: Represented;
  /** The size of the replaced bytes. */
  readonly replaces: number;
}

async function withResponse(stored: StoredBytes, write: Write): Promise<PreparedWrite> {
  refuseTooLarge(stored.value.length, write.replaces);
  return { ...stored, response: await renderWritten(write.object, stored, write.served) };
}
