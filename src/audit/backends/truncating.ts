import { decodeJson } from '../../codec/index.ts';
import { isObject } from '../../meta/index.ts';
import type { AuditBackend, AuditEvent } from '../backend.ts';

interface TruncationOptions {
  /** The maximum size of an event; a larger one loses its objects. */
  readonly eventBytesMax: number;
  /** The maximum size of a batch. */
  readonly batchBytesMax: number;
  /** Called with events that are too large even without their objects: they are lost. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Removes the objects of requests and responses from events that are too large, and adds an annotation. Source:
 * apiserver, plugin/pkg/audit/truncate.
 */
export function truncating(inner: AuditBackend, options: TruncationOptions): AuditBackend {
  return {
    isForgiving: inner.isForgiving === true,
    async write(events, isAwaited) {
      for (const batch of batchesOf(events, options)) await inner.write(batch, isAwaited);
    },
    close: () => inner.close(),
  };
}

function batchesOf(events: readonly AuditEvent[], options: TruncationOptions): AuditEvent[][] {
  const { eventBytesMax, batchBytesMax, onTrouble } = options;
  const batches: AuditEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const kept = Buffer.byteLength(event) > eventBytesMax ? withoutObjects(event) : event;
    const size = Buffer.byteLength(kept);
    if (size > eventBytesMax) {
      onTrouble(new Error('audit: event is too large even after truncating'));
      continue;
    }
    if (bytes + size > batchBytesMax) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(kept);
    bytes += size;
  }
  return batches;
}

/** An event without its objects; the same event if it has none. */
function withoutObjects(event: AuditEvent): AuditEvent {
  const read = decodeJson(Buffer.from(event)).value;
  if (!isObject(read)) return event;
  const { requestObject: _, responseObject: __, annotations, ...kept } = read;
  if (read['level'] === 'Metadata') return event;
  return JSON.stringify({
    ...kept,
    annotations: { ...Object(annotations), 'audit.k8s.io/truncated': 'true' },
  });
}
