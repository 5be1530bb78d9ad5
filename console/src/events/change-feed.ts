import { signal } from '@preact/signals';
import { parseExactly } from '../api/exact-json.ts';
import { follow, type Liveness, type WatchEvent } from '../api/follow.ts';
import { type KubeList, type KubeObject, member, type ObjectMeta } from '../api/kube-object.ts';
import { getJson } from '../api/request.ts';
import { signedIn } from '../app/session.ts';
import { keyOf } from '../objects/row.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';

/** Something that happened to an object. */
export interface Change {
  /** Counts them, from 1. */
  readonly id: number;
  readonly type: WatchEvent<unknown>['type'];
  readonly ms: number;
  readonly metadata: ObjectMeta;
  /** What is different from the version before, where that was seen. */
  readonly fields: readonly ChangedField[];
  /** What an Event of a controller says. */
  readonly said: string;
  /** Who wrote last, as managedFields say. */
  readonly manager: string;
}

const changesMax = 200;
const knownMax = 1_000;
const fieldsMax = 6;

/** What happens to the objects of a path from now on, the latest first. */
export class ChangeFeed {
  readonly changes = signal<readonly Change[]>([]);
  readonly liveness = signal<Liveness>({ state: 'loading' });
  /** How often changes were missed, as the server had forgotten them. */
  readonly gaps = signal(0);
  readonly #path: string;
  /** The last versions of objects that changed, the oldest first. */
  readonly #known = new Map<string, KubeObject>();
  #count = 0;
  #isFirst = true;

  constructor(path: string) {
    this.#path = path;
  }

  run(abort: AbortSignal): Promise<void> {
    return follow<KubeObject>({
      path: this.#path,
      list: (listing) => this.#start(listing),
      onEvents: (events) => this.#add(events),
      onLiveness: (liveness) => {
        this.liveness.value = liveness;
      },
      revisionOf: ({ metadata }) => metadata.resourceVersion,
      parse: parseExactly,
      signedIn,
      signal: abort,
    });
  }

  clear(): void {
    this.changes.value = [];
  }

  /** Only the moment is asked for: objects come when they change. */
  async #start(abort: AbortSignal): Promise<string> {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const path = `${this.#path}${this.#path.includes('?') ? '&' : '?'}limit=1`;
    const { metadata } = await getJson<KubeList<KubeObject>>(path, { accept, signal: abort });
    if (!this.#isFirst) {
      this.gaps.value += 1;
      this.#known.clear();
    }
    this.#isFirst = false;
    return metadata.resourceVersion ?? '';
  }

  #add(events: readonly WatchEvent<KubeObject>[]): void {
    const ms = Date.now();
    const added = events.map((event) => this.#changeOf(event, ms)).reverse();
    this.changes.value = [...added, ...this.changes.value].slice(0, changesMax);
  }

  #changeOf({ type, object }: WatchEvent<KubeObject>, ms: number): Change {
    const key = keyOf(object.metadata);
    const before = this.#known.get(key);
    this.#known.delete(key);
    if (type !== 'DELETED') this.#known.set(key, object);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > knownMax) this.#known.delete(oldest);
    this.#count += 1;
    const fields =
      type === 'MODIFIED' && before !== undefined ? changedFields(before, object, fieldsMax) : [];
    return {
      id: this.#count,
      type,
      ms,
      metadata: object.metadata,
      fields,
      said: saidBy(object),
      manager: type === 'DELETED' ? '' : lastManager(object.metadata),
    };
  }
}

/** `Warning Failed Pod web: the image cannot be pulled` */
function saidBy(object: KubeObject): string {
  if (object.kind !== 'Event') return '';
  const event = new Map(Object.entries(object));
  const text = (name: string) => {
    const value: unknown = event.get(name);
    return typeof value === 'string' ? value : '';
  };
  const about = event.get('involvedObject') ?? event.get('regarding');
  const name = (part: string) => String(member(about, part) ?? '');
  return [
    text('type') === 'Warning' ? 'Warning' : '',
    text('reason'),
    `${name('kind')} ${name('name')}:`,
    text('message') || text('note'),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function lastManager({ managedFields = [] }: ObjectMeta): string {
  const [latest] = managedFields.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1));
  return latest?.manager ?? '';
}
