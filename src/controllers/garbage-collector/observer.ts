import {
  type KubeObject,
  metadataOf,
  metadataString,
  own,
  ownerReferencesOf,
  ownString,
  parseGroupVersion,
  stringList,
} from '../../meta/index.ts';
import type { Observation } from './graph.ts';
import type { KindIndex } from './kind-index.ts';

/** As in compact JSON. managedFields contain `f:ownerReferences`, which differs. */
const telltales = ['"ownerReferences"', '"foregroundDeletion"', '"orphan"'].map((text) => Buffer.from(text));

/** Whether an object can have anything to do with ownership: a search for bytes, so that most are never decoded. */
export function concernsOwnership(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return telltales.some((telltale) => buffer.includes(telltale));
}

/** Reads the parts of stored objects that the graph needs. */
export class Observer {
  readonly #kinds: KindIndex;

  constructor(kinds: KindIndex) {
    this.#kinds = kinds;
  }

  /** Undefined for values that cannot own or be owned: events, and values that are not objects. */
  observe(key: string, object: KubeObject | undefined): Observation | undefined {
    if (object === undefined) return undefined;
    const apiVersion = ownString(object, 'apiVersion') ?? '';
    const kind = ownString(object, 'kind') ?? '';
    const uid = metadataString(object, 'uid');
    if (uid === '' || isEvent(apiVersion, kind)) return undefined;
    const metadata = metadataOf(object);
    return {
      key,
      identity: {
        apiVersion: this.#kinds.preferredApiVersion(apiVersion, kind),
        kind,
        namespace: metadataString(object, 'namespace'),
        name: metadataString(object, 'name'),
        uid,
      },
      owners: ownerReferencesOf(own(metadata, 'ownerReferences')),
      beingDeleted: own(metadata, 'deletionTimestamp') !== undefined,
      finalizers: stringList(own(metadata, 'finalizers')),
    };
  }
}

/** Too many and too short-lived. */
function isEvent(apiVersion: string, kind: string): boolean {
  const group = parseGroupVersion(apiVersion)?.group;
  return kind === 'Event' && (group === '' || group === 'events.k8s.io');
}
