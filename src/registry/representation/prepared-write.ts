import type { KubeObject } from '../../meta/index.ts';
import type { Served } from '../catalog/catalog.ts';
import { type Change, encodeChange } from './encode-change.ts';
import { renderWritten, type WrittenAt } from './rendered-object.ts';
import { encodeStored, type StoredBytes } from './encode-stored.ts';

/** A write that only has to be committed. */
export interface PreparedWrite extends StoredBytes {
  /** What the client is shown. */
  readonly written: WrittenAt;
}

/**
 * Makes everything that the write of a new object needs, before anything is stored; a promise only where a webhook
 * converts.
 *
 * @throws {StatusError} 500 where that fails; then nothing has been written
 */
export function prepareNew(object: KubeObject, served: Served): PreparedWrite | Promise<PreparedWrite> {
  return withAnswer(encodeStored(object, served, undefined), object, served);
}

/** As {@link prepareNew}, for the write of a changed object. */
export function prepareChange(object: KubeObject, change: Change): PreparedWrite | Promise<PreparedWrite> {
  return withAnswer(encodeChange(object, change), object, change.target);
}

function withAnswer(
  stored: StoredBytes | Promise<StoredBytes>,
  object: KubeObject,
  served: Served,
): PreparedWrite | Promise<PreparedWrite> {
  if (stored instanceof Promise) return stored.then((bytes) => withAnswer(bytes, object, served));
  const written = renderWritten(object, stored, served);
  return written instanceof Promise
    ? written.then((answer) => ({ ...stored, written: answer }))
    : { ...stored, written };
}
