import { signal } from '@preact/signals';
import { parseExactly } from '../api/exact-json.ts';
import { follow, type Liveness } from '../api/follow.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { send } from '../api/request.ts';
import { signedIn } from '../app/session.ts';
import { type DefinitionParts, definitionParts } from './definition-parts.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** One CustomResourceDefinition, live. */
export class DefinitionFeed {
  readonly parts = signal<DefinitionParts | undefined>(undefined);
  readonly liveness = signal<Liveness>({ state: 'loading' });
  readonly isDeleted = signal(false);
  readonly #name: string;

  /** @param name `widgets.example.com` */
  constructor(name: string) {
    this.#name = name;
  }

  run(abort: AbortSignal): Promise<void> {
    return follow<KubeObject>({
      path: `${definitionsPath}?fieldSelector=${encodeURIComponent(`metadata.name=${this.#name}`)}`,
      // A CRD can be megabytes large: the watch only reports changes.
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      list: (asked) => this.#read(asked),
      onEvents: (events) => {
        this.isDeleted.value = events.at(-1)?.type === 'DELETED';
        if (!this.isDeleted.value) void this.#read(abort).catch(() => {});
      },
      onLiveness: (liveness) => {
        this.liveness.value = liveness;
      },
      revisionOf: ({ metadata }) => metadata.resourceVersion,
      signedIn,
      signal: abort,
    });
  }

  async #read(abort: AbortSignal): Promise<string> {
    const path = `${definitionsPath}/${encodeURIComponent(this.#name)}`;
    const text = await (await send(path, { signal: abort })).text();
    // The path returns nothing else.
    const object = parseExactly(text) as KubeObject;
    this.parts.value = definitionParts(object);
    return object.metadata.resourceVersion ?? '';
  }
}
