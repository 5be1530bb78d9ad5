import { collectionPath, type ResourceRef } from '../api/paths.ts';

/** The query for objects of a kind. */
export interface ObjectsQuery {
  readonly ref: ResourceRef;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
  /** A CEL filter over selectable fields, an extension of Ilk. */
  readonly filter: string;
}

/** Path and query of the request. */
export function queryPath(query: ObjectsQuery, more: Readonly<Record<string, string>> = {}): string {
  const { ref, namespace, labels, fields, filter } = query;
  const asked = { labelSelector: labels, fieldSelector: fields, filter, ...more };
  const text = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  return `${collectionPath(ref, namespace)}${text === '' ? '' : `?${text}`}`;
}

/** The equivalent kubectl command. */
export function kubectlCommand(
  query: ObjectsQuery,
  { namespaced }: { readonly namespaced: boolean },
): string {
  const { ref, namespace, labels, fields, filter } = query;
  if (filter !== '') return `kubectl get --raw ${quoted(queryPath(query))}`;
  const resource = ref.group === '' ? ref.plural : `${ref.plural}.${ref.version}.${ref.group}`;
  const scope = namespace === '' ? '-A' : `-n ${quoted(namespace)}`;
  return [
    `kubectl get ${resource}`,
    ...(namespaced ? [scope] : []),
    ...(labels === '' ? [] : [`-l ${quoted(labels)}`]),
    ...(fields === '' ? [] : [`--field-selector ${quoted(fields)}`]),
  ].join(' ');
}

/** Quoted for a shell. */
function quoted(text: string): string {
  return /^[\w./=:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
