import {
  type JsonObject,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  metadataOf,
  notFoundError,
  own,
  ownObject,
  type StatusError,
  stringMap,
} from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** Reads a namespace at a minimum revision, or the latest if undefined. */
export type FindNamespace = (
  name: string,
  minRevision: number | undefined,
) => Promise<KubeObject | undefined>;

/** The selectors of a webhook, a policy or a binding. */
export interface Selectors {
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

export function selectorsOf(owner: JsonObject): Selectors {
  return Object.freeze({
    namespaces: labelSelectorFromObject(ownObject(owner, 'namespaceSelector') ?? {}),
    objects: labelSelectorFromObject(ownObject(owner, 'objectSelector') ?? {}),
  });
}

/** True if the old or the new object is selected. Source: apiserver, webhook/predicates/object. */
export function matchesObject(
  { objects }: Selectors,
  {
    object,
    oldObject,
  }: { readonly object: KubeObject | undefined; readonly oldObject: KubeObject | undefined },
): boolean {
  if (objects.isEmpty) return true;
  return [object, oldObject].some((one) => one !== undefined && objects.matches(labelsOf(one)));
}

function labelsOf(object: KubeObject): ReadonlyMap<string, string> {
  return stringMap(own(metadataOf(object), 'labels'));
}

/**
 * True if the namespace of the object is selected; always for cluster-scoped objects. A missing namespace is an
 * error, which applies only if the rules match. Source: apiserver, webhook/predicates/namespace.
 */
export function matchesNamespace(
  { namespaces }: Selectors,
  attributes: AdmissionAttributes,
  find: FindNamespace,
): boolean | Promise<boolean | StatusError> {
  const { resource, namespace, subresource, operation, object } = attributes;
  const isNamespace = resource.resource === 'namespaces';
  if (namespace === '' && !isNamespace) return true;
  if (namespaces.isEmpty) return true;
  const isWritten = isNamespace && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  if (isWritten) return namespaces.matches(labelsOf(object ?? {}));
  return find(namespace, attributes.minRevision).then((found) =>
    found === undefined
      ? notFoundError({ group: '', resource: 'namespaces' }, namespace)
      : namespaces.matches(labelsOf(found)),
  );
}
