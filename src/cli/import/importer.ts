import { setTimeout as sleep } from 'node:timers/promises';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownList,
  ownString,
} from '../../meta/index.ts';
import type { LoadedObject } from '../../manifests/index.ts';
import { type Answer, type ApiClient, pathOf, type ServedKind } from '../api-client.ts';

/** What came of an import. */
export interface Imported {
  readonly imported: number;
  /** Each with its place: `all.yaml:12: Widget a: ...` */
  readonly troubles: readonly string[];
}

const servedMsMax = 10_000;
const askServedEveryMs = 5;

/** Kinds that others need, in the order in which they must be there. */
const firstKinds = ['CustomResourceDefinition', 'Namespace'];

/**
 * Creates objects, or replaces those that are there. Every object gets a uid of its own here; references to owners are
 * brought to the new ones when all are there, so that the order of the objects does not matter.
 */
export class Importer {
  readonly #client: ApiClient;
  readonly #withStatus: boolean;
  readonly #troubles: string[] = [];
  /** New uids by those that the manifests have. */
  readonly #uids = new Map<string, string>();
  #kinds: ReadonlyMap<string, ServedKind> = new Map();

  constructor(client: ApiClient, { withStatus }: { readonly withStatus: boolean }) {
    this.#client = client;
    this.#withStatus = withStatus;
  }

  async run(objects: readonly LoadedObject[]): Promise<Imported> {
    const rank = ({ object }: LoadedObject) => firstKinds.indexOf(ownString(object, 'kind') ?? '');
    const [crds, namespaces] = firstKinds.map((_, index) => objects.filter((one) => rank(one) === index));
    const others = objects.filter((one) => rank(one) < 0);
    await this.#learnKinds();
    const written = await this.#writeAll([...(crds ?? []), ...(namespaces ?? [])]);
    await this.#waitForKinds(others);
    written.push(...(await this.#writeAll(others)));
    for (const one of written) await this.#bindOwners(one);
    return { imported: written.length, troubles: this.#troubles };
  }

  async #learnKinds(): Promise<void> {
    const kinds = await this.#client.kinds();
    this.#kinds = new Map(kinds.map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind]));
  }

  /** CRDs that were just created are served a moment later. */
  async #waitForKinds(objects: readonly LoadedObject[]): Promise<void> {
    for (let waitedMs = 0; waitedMs < servedMsMax; waitedMs += askServedEveryMs) {
      await this.#learnKinds();
      if (objects.every(({ object }) => this.#kindOf(object) !== undefined)) return;
      await sleep(askServedEveryMs);
    }
  }

  #kindOf(object: KubeObject): ServedKind | undefined {
    return this.#kinds.get(`${ownString(object, 'apiVersion') ?? ''}/${ownString(object, 'kind') ?? ''}`);
  }

  async #writeAll(objects: readonly LoadedObject[]): Promise<LoadedObject[]> {
    const written: LoadedObject[] = [];
    for (const one of objects) if (await this.#write(one)) written.push(one);
    return written;
  }

  async #write(loaded: LoadedObject): Promise<boolean> {
    const { object } = loaded;
    const kind = this.#kindOf(object);
    if (kind === undefined) return this.#trouble(loaded, 'nobody serves this kind');
    if (own(metadataOf(object), 'deletionTimestamp') !== undefined) {
      return this.#trouble(loaded, 'is being deleted, and is left out');
    }
    const answer = await this.#createOrReplace(kind, object);
    if (answer.object === undefined) return this.#trouble(loaded, answer.refusal?.message ?? '');
    this.#uids.set(metadataString(object, 'uid'), metadataString(answer.object, 'uid'));
    return this.#writeStatus(loaded, kind, answer.object);
  }

  async #createOrReplace(kind: ServedKind, object: KubeObject): Promise<Answer> {
    const { uid: _, resourceVersion: __, ownerReferences: ___, ...metadata } = metadataOf(object);
    const body = { ...object, metadata };
    const created = await this.#client.call('POST', pathOf(kind, namespaceOf(object)), body);
    if (created.refusal?.reason !== 'AlreadyExists') return created;
    const path = pathOf(kind, namespaceOf(object), nameOf(object));
    const { object: present = {} } = await this.#client.call('GET', path);
    const resourceVersion = metadataString(present, 'resourceVersion');
    return this.#client.call('PUT', path, { ...body, metadata: { ...metadata, resourceVersion } });
  }

  /** A CRD has a status that only the server can know. */
  async #writeStatus(loaded: LoadedObject, kind: ServedKind, written: KubeObject): Promise<boolean> {
    const status = own(loaded.object, 'status');
    if (!this.#withStatus || status === undefined || kind.kind === 'CustomResourceDefinition') return true;
    const path = `${pathOf(kind, namespaceOf(written), nameOf(written))}/status`;
    const { refusal } = await this.#client.call('PUT', path, { ...written, status });
    // 404: the status is no subresource, and was written with the rest.
    if (refusal === undefined || refusal.code === 404) return true;
    return this.#trouble(loaded, `its status: ${refusal.message ?? ''}`);
  }

  async #bindOwners(loaded: LoadedObject): Promise<void> {
    const owners = (ownList(metadataOf(loaded.object), 'ownerReferences') ?? []).filter(isObject);
    const kind = this.#kindOf(loaded.object);
    if (owners.length === 0 || kind === undefined) return;
    const ownerReferences = owners.map((owner) => this.#rebound(owner));
    const path = pathOf(kind, namespaceOf(loaded.object), nameOf(loaded.object));
    const body = { metadata: { ownerReferences } };
    const { refusal } = await this.#client.call('PATCH', path, body, 'application/merge-patch+json');
    if (refusal !== undefined) this.#trouble(loaded, `its owners: ${refusal.message ?? ''}`);
  }

  /** An owner that is not here keeps its uid: what it owned goes, as where it came from. */
  #rebound(owner: JsonObject): JsonObject {
    const uid = ownString(owner, 'uid') ?? '';
    return { ...owner, uid: this.#uids.get(uid) ?? uid };
  }

  #trouble({ file, line, object }: LoadedObject, message: string): false {
    this.#troubles.push(`${file}:${line}: ${ownString(object, 'kind') ?? ''} ${nameOf(object)}: ${message}`);
    return false;
  }
}
