import type { MergeType } from '../apply/index.ts';
import type { GroupVersionKind, GroupVersionResource, KubeObject } from '../meta/index.ts';

/** Another version or group that serves the same objects. */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** Conversions of an object that the registry offers to plugins. */
export interface ObjectConversions {
  /**
   * All other resources that serve the same objects at the subresource of the request, in version order. Source:
   * apimachinery, runtime.EquivalentResourceMapper.
   */
  equivalents(): readonly EquivalentResource[];
  /**
   * Converts the object to another kind of {@link equivalents}, or back to the kind of the request. The caller owns
   * the result.
   *
   * @throws {StatusError} 500 if a conversion webhook fails
   */
  convert(object: KubeObject, kind: GroupVersionKind): Promise<KubeObject>;
  /** The merge type of the request's kind, or of an equivalent one. */
  mergeType(kind: GroupVersionKind): MergeType;
  /**
   * Normalizes an object of the request's kind, or of an equivalent one, in place: prunes unknown fields and sets
   * defaults.
   *
   * @throws {StatusError} 500 for invalid metadata
   */
  complete(object: KubeObject, kind: GroupVersionKind): void;
}
