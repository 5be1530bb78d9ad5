import { setTimeout as sleep } from 'node:timers/promises';
import { RestoredUids, restoreObject, targetOfObject } from '../../controllers/index.ts';
import { type LoadedObject, removedVersionHint } from '../../manifests/index.ts';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  StatusError,
  stringList,
  type UserInfo,
} from '../../meta/index.ts';
import { type Registry, type RequestContext, type Target, Warnings } from '../../registry/index.ts';

/** The result of an import. */
export interface Imported {
  readonly imported: number;
  /** Objects that were refused. */
  readonly troubles: readonly ImportNote[];
  /** Dropped fields and deprecated versions. */
  readonly warnings: readonly ImportNote[];
}

/** A message about one object, and its place. */
export interface ImportNote {
  readonly file: string;
  readonly line: number;
  /** `Widget a`; empty if it has neither kind nor name. */
  readonly object: string;
  readonly message: string;
}

interface ImporterOptions {
  readonly user: UserInfo;
  readonly withStatus: boolean;
}

const servedMsMax = 10_000;
const askServedEveryMs = 5;

/** Kinds that others depend on, in the order in which they must be created. */
const firstKinds = ['CustomResourceDefinition', 'Namespace'];

/**
 * Creates objects unchanged, or replaces existing ones. Replaced objects keep their uids, and owner references are
 * updated to them. The objects may be in any order.
 */
export class Importer {
  readonly #registry: Registry;
  readonly #options: ImporterOptions;
  readonly #stop = new AbortController();
  readonly #troubles: ImportNote[] = [];
  readonly #warnings: ImportNote[] = [];
  /** Assigns the uids of new objects. */
  readonly #uids = new Map<LoadedObject, string | undefined>();
  /** The uids of owners in this storage, by their uids in the manifests. */
  readonly #ownerUids = new Map<string, string>();

  constructor(registry: Registry, options: ImporterOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  async run(objects: readonly LoadedObject[]): Promise<Imported> {
    await this.#planUids(objects);
    const rank = ({ object }: LoadedObject) => firstKinds.indexOf(ownString(object, 'kind') ?? '');
    const [crds = [], namespaces = []] = firstKinds.map((_, index) =>
      objects.filter((one) => rank(one) === index),
    );
    const others = objects.filter((one) => rank(one) < 0);
    const writtenCrds = await this.#writeAll(crds);
    let imported = writtenCrds.length + (await this.#writeAll(namespaces)).length;
    await this.#untilServed(writtenCrds);
    imported += (await this.#writeAll(others)).length;
    return { imported, troubles: this.#troubles, warnings: this.#warnings };
  }

  /** Before anything is written, so that an owner may come after its dependents. */
  async #planUids(objects: readonly LoadedObject[]): Promise<void> {
    const all = objects.map(({ object }) => object);
    const uids = await RestoredUids.read(this.#registry, all, this.#context());
    for (const loaded of objects) {
      const old = metadataString(loaded.object, 'uid');
      const present = await this.#presentUid(loaded.object);
      const uid = present ?? uids.claim(loaded.object);
      this.#uids.set(loaded, uid);
      if (uid !== undefined && old !== '' && !this.#ownerUids.has(old)) this.#ownerUids.set(old, uid);
    }
  }

  async #presentUid(object: KubeObject): Promise<string | undefined> {
    const target = await this.#targetOf(object).catch(() => undefined);
    if (target === undefined || nameOf(object) === '') return undefined;
    const present = await this.#registry.readStored(target, nameOf(object));
    return present && metadataString(present, 'uid');
  }

  /** @throws {StatusError} for a kind that is not served */
  #targetOf(object: KubeObject): Promise<Target> {
    return targetOfObject(this.#registry, object);
  }

  #context(): RequestContext {
    const { user } = this.#options;
    return { user, fieldManager: 'ilk', signal: this.#stop.signal, warnings: new Warnings() };
  }

  /** A new CRD is served after a moment; its status has the reason if it never will be. */
  async #untilServed(crds: readonly LoadedObject[]): Promise<void> {
    const endMs = performance.now() + servedMsMax;
    while (performance.now() < endMs) {
      const { resources } = await this.#registry.freshCatalog();
      const served = new Set(
        resources.filter(({ type }) => type.served).map(({ type }) => `${type.resource}.${type.group}`),
      );
      if (crds.every(({ object }) => served.has(nameOf(object)))) return;
      await sleep(askServedEveryMs);
    }
  }

  async #writeAll(objects: readonly LoadedObject[]): Promise<LoadedObject[]> {
    const written: LoadedObject[] = [];
    for (const one of objects) if (await this.#write(one)) written.push(one);
    return written;
  }

  async #write(loaded: LoadedObject): Promise<boolean> {
    const { object } = loaded;
    for (const field of ['apiVersion', 'kind']) {
      if ((ownString(object, field) ?? '') === '') return this.#trouble(loaded, `${field} must be set`);
    }
    const hint = removedVersionHint(object);
    if (hint !== undefined) return this.#trouble(loaded, hint);
    if (own(metadataOf(object), 'deletionTimestamp') !== undefined) {
      return this.#trouble(loaded, 'is being deleted, and is left out');
    }
    const context = this.#context();
    try {
      const target = await this.#targetOf(object);
      await restoreObject(this.#registry, target, this.#withOwners(object), {
        context,
        fieldValidation: 'Warn',
        uid: this.#uids.get(loaded),
        ...(own(object, 'kind') === firstKinds[0]
          ? { withStatus: false, settle: (crd: KubeObject) => keepStoredVersions(crd, object) }
          : { withStatus: this.#options.withStatus }),
      });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return this.#trouble(loaded, error.message);
    }
    for (const text of context.warnings.list()) this.#warnings.push(noteOf(loaded, text));
    return true;
  }

  #withOwners(object: KubeObject): KubeObject {
    const owners = ownList(ownObject(object, 'metadata') ?? {}, 'ownerReferences');
    if (owners === undefined) return object;
    const ownerReferences = owners.map((owner) => (isObject(owner) ? this.#rebound(owner) : owner));
    return { ...object, metadata: { ...metadataOf(object), ownerReferences } };
  }

  /** A missing owner keeps its uid: its dependents are collected, as in the cluster they came from. */
  #rebound(owner: JsonObject): JsonObject {
    const uid = this.#ownerUids.get(ownString(owner, 'uid') ?? '');
    return uid === undefined ? owner : { ...owner, uid };
  }

  #trouble(loaded: LoadedObject, message: string): false {
    this.#troubles.push(noteOf(loaded, message));
    return false;
  }
}

/**
 * The server sets the status of a CRD, except the versions in which its objects are stored: these come with the
 * objects.
 */
function keepStoredVersions(crd: KubeObject, given: KubeObject): void {
  const status = ownObject(crd, 'status') ?? {};
  const versions = (ownList(ownObject(crd, 'spec') ?? {}, 'versions') ?? []).filter(isObject);
  const known = new Set(versions.map((version) => own(version, 'name')));
  const before = stringList(own(ownObject(given, 'status') ?? {}, 'storedVersions'));
  const now = stringList(own(status, 'storedVersions'));
  status['storedVersions'] = [...new Set([...before, ...now])].filter((name) => known.has(name));
}

function noteOf({ file, line, object }: LoadedObject, message: string): ImportNote {
  const named = [ownString(object, 'kind') ?? '', nameOf(object)].filter((part) => part !== '').join(' ');
  return { file, line, object: named, message };
}
