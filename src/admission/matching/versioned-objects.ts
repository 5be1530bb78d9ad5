import type { GroupVersionKind, KubeObject } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** The objects of a write in one kind. */
export interface ObjectPair {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

export function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

/** The objects of a write in the kinds that rules need, each converted once. */
export class VersionedObjects {
  readonly #attributes: AdmissionAttributes;
  readonly #known = new Map<string, Promise<ObjectPair>>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** @throws {StatusError} 500 if a conversion webhook fails */
  in(kind: GroupVersionKind): ObjectPair | Promise<ObjectPair> {
    if (isSameKind(kind, this.#attributes.kind)) return this.#attributes;
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const known = this.#known.get(key) ?? this.#convert(kind);
    this.#known.set(key, known);
    return known;
  }

  async #convert(kind: GroupVersionKind): Promise<ObjectPair> {
    const { object, oldObject, conversions } = this.#attributes;
    return {
      object: object && (await conversions.convert(object, kind)),
      oldObject: oldObject && (await conversions.convert(oldObject, kind)),
    };
  }
}
