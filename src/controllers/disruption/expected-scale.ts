import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownString,
  parseGroupVersion,
} from '../../meta/index.ts';
import type { Registry, RequestContext } from '../../registry/index.ts';
import type { CollectionRevision } from '../change-notifier.ts';
import { servedTarget } from '../client.ts';

interface ScaleParts {
  readonly registry: Registry;
  readonly namespace: string;
  readonly context: RequestContext;
}

/** The pods of a budget cannot be counted; its condition has the message. */
export class ScaleProblem extends Error {
  override readonly name = 'ScaleProblem';
}

/** The total scale of the controllers of some pods. */
export class ExpectedScale {
  /** What was read, as of when. */
  readonly collections: CollectionRevision[] = [];
  readonly #parts: ScaleParts;
  readonly #kinds = new Map<string, Promise<KindObjects>>();

  constructor(parts: ScaleParts) {
    this.#parts = parts;
  }

  /** Pods without a controller are left out. @throws {ScaleProblem} for a controller that is deleted or cannot be scaled */
  async of(pods: readonly KubeObject[]): Promise<number> {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const reference = controllerOf(pod);
      if (reference === undefined) continue;
      const found = await this.#find(reference);
      if (found === undefined)
        throw new ScaleProblem(`found no controllers for pod ${JSON.stringify(nameOf(pod))}`);
      scales.set(found.uid, found.replicas);
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  async #find(reference: JsonObject): Promise<{ uid: string; replicas: number } | undefined> {
    const { objects, kind } = await this.#objectsOf(reference);
    const uid = ownString(reference, 'uid') ?? '';
    const object = objects.get(ownString(reference, 'name') ?? '');
    if (object === undefined || metadataString(object, 'uid') !== uid) return undefined;
    // The scale of a Deployment counts, not that of its old ReplicaSets.
    const owner = ownString(reference, 'kind') === 'ReplicaSet' ? controllerOf(object) : undefined;
    if (owner !== undefined && ownString(owner, 'kind') === 'Deployment') return this.#find(owner);
    if (kind.replicasPath === undefined)
      throw new ScaleProblem(`${kind.name} does not implement the scale subresource`);
    return { uid, replicas: Number(valueAt(object, kind.replicasPath) ?? 0) };
  }

  #objectsOf(reference: JsonObject): Promise<KindObjects> {
    const [apiVersion, kind] = [ownString(reference, 'apiVersion') ?? '', ownString(reference, 'kind') ?? ''];
    const key = `${apiVersion} ${kind}`;
    const known = this.#kinds.get(key) ?? this.#read(apiVersion, kind);
    this.#kinds.set(key, known);
    return known;
  }

  async #read(apiVersion: string, kind: string): Promise<KindObjects> {
    const group = parseGroupVersion(apiVersion)?.group ?? '';
    const { registry, namespace, context } = this.#parts;
    const { resources } = await registry.freshCatalog();
    const type = resources.find((one) => one.type.group === group && one.type.kind === kind)?.type;
    const version = type?.versions.find(({ served }) => served);
    if (type === undefined || version === undefined || !type.namespaced) {
      throw new ScaleProblem(`no matches for kind "${kind}" in version "${apiVersion}"`);
    }
    const { resource } = type;
    const target = await servedTarget(registry, { group, version: version.name, resource }, namespace);
    const { objects, revision } = await registry.listStored(target, context);
    this.collections.push({ target, revision });
    return {
      kind: {
        name: group === '' ? resource : `${resource}.${group}`,
        replicasPath: type.storageVersion.subresources.scale?.specReplicasPath,
      },
      objects: new Map(objects.map((object) => [nameOf(object), object])),
    };
  }
}

interface KindObjects {
  readonly kind: { readonly name: string; readonly replicasPath: string | undefined };
  readonly objects: ReadonlyMap<string, KubeObject>;
}

function controllerOf(object: KubeObject): JsonObject | undefined {
  const references = (ownList(metadataOf(object), 'ownerReferences') ?? []).filter(isObject);
  return references.find((one) => own(one, 'controller') === true);
}

/** `.spec.replicas` */
function valueAt(object: KubeObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path.split('.').slice(1)) value = isObject(value) ? own(value, step) : undefined;
  return value;
}
