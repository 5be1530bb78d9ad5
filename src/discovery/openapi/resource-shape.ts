import type { ResourceType, ResourceVersion } from '../../crd/index.ts';

/** What decides which operations a resource has in one version, and their parameters; all but the names. */
export interface ResourceShape {
  readonly namespaced: boolean;
  readonly isBuiltIn: boolean;
  readonly lacksDeleteCollection: boolean;
  readonly isUnstored: boolean;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  /** Pods have requests of their own: evictions and bindings. */
  readonly isPods: boolean;
}

/** The shape of a resource in one version. */
export function resourceShape(type: ResourceType, { subresources }: ResourceVersion): ResourceShape {
  const { namespaced, isBuiltIn, lacksDeleteCollection, isUnstored, group, resource } = type;
  return {
    namespaced,
    isBuiltIn,
    lacksDeleteCollection: lacksDeleteCollection === true,
    isUnstored: isUnstored === true,
    hasStatus: subresources.status,
    hasScale: subresources.scale !== undefined,
    isPods: isBuiltIn && group === '' && resource === 'pods',
  };
}
