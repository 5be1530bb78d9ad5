import { type KubeObject, metadataString } from '../meta/index.ts';
import { type Registry, type RequestContext, targetOf } from '../registry/index.ts';

/** As servers make them. Others, which people write into fixtures, are not kept. */
const uidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Decides who keeps the uid that it had: an object that is put back does, so that whatever refers to it still does. No
 * two objects get the same one: copies made by hand in a manifest do not count as the original.
 */
export class RestoredUids {
  readonly #taken: Set<string>;

  private constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  /** Reads the uids that are taken, unless nothing that is put back has one. */
  static async read(
    registry: Registry,
    objects: readonly KubeObject[],
    context: RequestContext,
  ): Promise<RestoredUids> {
    const taken = new Set<string>();
    if (!objects.some(hasUid)) return new RestoredUids(taken);
    const { resources, find } = await registry.freshCatalog().then((catalog) => ({
      resources: catalog.resources,
      find: catalog.find.bind(catalog),
    }));
    for (const { type } of resources) {
      const version = type.versions.find(({ served }) => served);
      const served = version && find(type.group, version.name, type.resource);
      if (served === undefined) continue;
      const stored = await registry.listStored(targetOf(served, ''), context);
      for (const object of stored.objects) taken.add(metadataString(object, 'uid'));
    }
    return new RestoredUids(taken);
  }

  /** The uid that an object keeps; undefined where it needs a new one. */
  claim(object: KubeObject): string | undefined {
    const uid = metadataString(object, 'uid');
    if (!hasUid(object) || this.#taken.has(uid)) return undefined;
    this.#taken.add(uid);
    return uid;
  }
}

function hasUid(object: KubeObject): boolean {
  return uidPattern.test(metadataString(object, 'uid'));
}
