import type { MergeType } from '../apply/index.ts';
import type { GroupVersionKind, GroupVersionResource, KubeObject } from '../meta/index.ts';

/** Another name under which the same objects are served: another version, or another group. */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** What the registry can make of an object for a plugin. */
export interface ObjectForms {
  /**
   * Every other resource that serves the same objects at the subresource of the request, in order of versions.
   * Source: apimachinery, runtime.EquivalentResourceMapper.
   */
  equivalents(): readonly EquivalentResource[];
  /**
   * The object in another kind of {@link equivalents}, or back in the kind of the request. The result is the caller's.
   *
   * @throws {StatusError} 500 where a conversion webhook fails
   */
  convert(object: KubeObject, kind: GroupVersionKind): Promise<KubeObject>;
  /** How an object of the request's kind, or of an equivalent one, merges with an applied configuration. */
  mergeType(kind: GroupVersionKind): MergeType;
  /**
   * Brings an object of the request's kind, or of an equivalent one, into the shape of its schema, in place: unknown
   * fields go, defaults come.
   *
   * @throws {StatusError} 500 for metadata that is none
   */
  complete(object: KubeObject, kind: GroupVersionKind): void;
}
