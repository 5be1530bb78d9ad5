import {
  equal,
  type JsonObject,
  type KubeObject,
  metadataOf,
  nameOf,
  own,
  stringMap,
} from '../meta/index.ts';
import type { Registry, Target } from '../registry/index.ts';
import { type ApiPriority, localPriorities } from './api-priorities.ts';
import {
  bodyOf,
  controllerContext,
  isAlreadyExists,
  isConflict,
  isNotFound,
  objectTargetOf,
  servedTarget,
} from './client.ts';
import { deleteOptions } from './clear-collection.ts';
import { CrdFeeds } from './crd-feed.ts';
import { follow } from './follow.ts';
import { WorkQueue } from './work-queue.ts';

const apiServices = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
const automanaged = 'kube-aggregator.kubernetes.io/automanaged';
const fieldManager = 'kube-apiserver';
const options = { dryRun: false, fieldManager, fieldValidation: 'Ignore' } as const;

interface LocalApiServicesParts {
  readonly registry: Registry;
  /** The groups and versions that are served without stored kinds, such as those of reviews. */
  readonly unstored: readonly GroupVersion[];
  readonly signal: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** An APIService that this server keeps. */
interface WantedApiService {
  /** False for a group of this server: it is written once, and then belongs to users until the next start. */
  readonly always: boolean;
  readonly spec: JsonObject;
}

/**
 * Keeps an APIService for each served version of a group. Source: kube-aggregator, pkg/controllers/autoregister, and
 * kubernetes, pkg/controlplane/controller/crdregistration.
 *
 * They are written when somebody asks for APIServices: a start costs nothing more, and few clients ask. From then on those of
 * CRDs are restored when they are deleted or changed.
 */
export class LocalApiServices {
  readonly #parts: LocalApiServicesParts;
  #kept: object | undefined;
  #wanted: ReadonlyMap<string, WantedApiService> = new Map();
  #isStarted = false;
  #keeping: Promise<void> | undefined;
  #follows = false;

  constructor(parts: LocalApiServicesParts) {
    this.#parts = parts;
  }

  /** Writes what is missing, and from then on follows the CRDs. Never rejects. */
  async keep(): Promise<void> {
    const { registry, onTrouble, signal } = this.#parts;
    try {
      // A run that was under way may have started before the latest change.
      for (let round = 0; round < 2; round += 1) {
        if ((await registry.freshCatalog()) === this.#kept || signal.aborted) break;
        await (this.#keeping ??= this.#writeAll());
      }
      this.#follow();
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
  }

  #follow(): void {
    if (this.#follows) return;
    this.#follows = true;
    const queue = new WorkQueue({ work: () => this.keep(), onTrouble: this.#parts.onTrouble });
    const crds = new CrdFeeds(this.#parts).follow(({ initial }) => {
      if (!initial) queue.add('all');
    });
    const services = follow({
      ...this.#parts,
      findTarget: () => servedTarget(this.#parts.registry, apiServices),
      onChange: ({ type, object }) => {
        if (!this.#isToRestore(object, type === 'DELETED')) return;
        this.#kept = undefined;
        queue.add('all');
      },
    });
    void Promise.all([crds.done, services.done]).then(() => queue.close());
  }

  #isToRestore(object: KubeObject, gone: boolean): boolean {
    const wanted = this.#wanted.get(nameOf(object));
    if (wanted?.always !== true) return false;
    return gone || (labelOf(object) !== undefined && !equal(own(object, 'spec') ?? {}, wanted.spec));
  }

  async #writeAll(): Promise<void> {
    try {
      const { registry, signal } = this.#parts;
      const catalog = await registry.freshCatalog();
      const wanted = wantedApiServices(catalog.resources, this.#parts.unstored);
      this.#wanted = wanted;
      const target = await servedTarget(registry, apiServices);
      const page = await registry.listAll(target, controllerContext(fieldManager, signal));
      const objects = Array.from(page.items, (item) => item.object());
      const present = new Map(objects.map((object) => [nameOf(object), object]));
      for (const [name, one] of wanted) {
        if (this.#isStarted && !one.always) continue;
        await this.#write(target, { name, wanted: one, present: present.get(name) });
      }
      for (const [name, object] of present) {
        if (!wanted.has(name) && labelOf(object) === 'true') await this.#delete(target, name);
      }
      this.#isStarted = true;
      this.#kept = catalog;
    } finally {
      this.#keeping = undefined;
    }
  }

  async #write(target: Target, { name, wanted, present }: ApiServiceWrite): Promise<void> {
    const { registry, signal } = this.#parts;
    const context = controllerContext(fieldManager, signal);
    const { always, spec } = wanted;
    const labels = { [automanaged]: always ? 'true' : 'onstart' };
    try {
      if (present === undefined) {
        const object = {
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name, labels },
          spec,
        };
        await registry.create({ target, body: bodyOf(object), options, context });
      } else if (labelOf(present) !== undefined && !equal(own(present, 'spec') ?? {}, spec)) {
        const object = { ...present, spec };
        await registry.update({
          target: objectTargetOf(target, name),
          body: bodyOf(object),
          options,
          context,
        });
      }
    } catch (error) {
      // Another server was faster.
      if (!isAlreadyExists(error) && !isConflict(error)) throw error;
    }
  }

  async #delete(target: Target, name: string): Promise<void> {
    const { registry, signal } = this.#parts;
    const context = controllerContext(fieldManager, signal);
    try {
      await registry.delete({ target: objectTargetOf(target, name), options: deleteOptions({}), context });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

interface ApiServiceWrite {
  readonly name: string;
  readonly wanted: WantedApiService;
  readonly present: KubeObject | undefined;
}

function labelOf(object: KubeObject): string | undefined {
  return stringMap(own(metadataOf(object), 'labels')).get(automanaged);
}

function wantedApiServices(
  resources: readonly { readonly type: ServedType }[],
  unstored: readonly GroupVersion[],
): ReadonlyMap<string, WantedApiService> {
  const versions = resources
    .filter(({ type }) => type.group !== apiServices.group)
    .flatMap(({ type: { group, versions } }) =>
      versions.filter(({ served }) => served).map(({ name }) => ({ group, version: name })),
    );
  return new Map(
    [...unstored, ...versions].map((one) => [`${one.version}.${one.group}`, wantedApiService(one)]),
  );
}

interface ServedType extends Pick<GroupVersion, 'group'> {
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/** Where the group of a CRD stands. */
const customPriority: ApiPriority = { group: 1_000, version: 100 };

function wantedApiService({ group, version }: GroupVersion): WantedApiService {
  const known = localPriorities.get(`${group}/${version}`);
  const priority = known ?? customPriority;
  return {
    always: known === undefined,
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
    },
  };
}
