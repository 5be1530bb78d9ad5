import { signal } from '@preact/signals';
import { follow, type Liveness } from '../api/follow.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { collectionPath, objectPath, type ResourceRef } from '../api/paths.ts';
import { send } from '../api/request.ts';
import { signedIn } from '../app/session.ts';

/** The object at a revision. */
export interface SeenVersion {
  readonly object: KubeObject;
  /** Undefined for the deleted version. */
  readonly text: string;
  readonly seenMs: number;
  readonly isDeleted: boolean;
}

const versionsMax = 100;

/** One object, live, with the changes since the page was opened. */
export class ObjectFeed {
  readonly versions = signal<readonly SeenVersion[]>([]);
  readonly liveness = signal<Liveness>({ state: 'loading' });
  readonly #path: string;
  readonly #watchPath: string;

  constructor(ref: ResourceRef, namespace: string, name: string) {
    this.#path = objectPath(ref, namespace, name);
    this.#watchPath = `${collectionPath(ref, namespace)}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  }

  run(abort: AbortSignal): Promise<void> {
    return follow<KubeObject>({
      path: this.#watchPath,
      list: async (asked) => {
        const object = await this.#read(asked);
        return object.metadata.resourceVersion ?? '';
      },
      onEvents: (events) => {
        const last = events.at(-1);
        if (last?.type === 'DELETED')
          this.#add({ object: last.object, text: this.versions.value.at(-1)?.text ?? '', isDeleted: true });
        else if (last !== undefined) void this.#read(abort).catch(() => {});
      },
      onLiveness: (liveness) => {
        this.liveness.value = liveness;
      },
      revisionOf: ({ metadata }) => metadata.resourceVersion,
      signedIn,
      signal: abort,
    });
  }

  /** As text, so that numbers are exact; and parsed, for display. */
  async #read(abort: AbortSignal): Promise<KubeObject> {
    const text = await (await send(this.#path, { signal: abort, accept: 'application/yaml' })).text();
    const object = (await (await send(this.#path, { signal: abort })).json()) as KubeObject;
    this.#add({ object, text, isDeleted: false });
    return object;
  }

  #add(version: Omit<SeenVersion, 'seenMs'>): void {
    const last = this.versions.value.at(-1);
    const isSame = last?.object.metadata.resourceVersion === version.object.metadata.resourceVersion;
    if (isSame && last?.isDeleted === version.isDeleted) return;
    this.versions.value = [...this.versions.value, { ...version, seenMs: Date.now() }].slice(-versionsMax);
  }
}
