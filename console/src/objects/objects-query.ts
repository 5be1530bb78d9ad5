import { collectionPath, type ResourceRef } from '../api/paths.ts';

/** Which objects of a kind are asked for. */
export interface ObjectsQuery {
  readonly ref: ResourceRef;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
  /** CEL over selectable fields, which only Ilk has. */
  readonly filter: string;
}

/** Path and query of a request for them. */
export function queryPath(query: ObjectsQuery, more: Readonly<Record<string, string>> = {}): string {
  const { ref, namespace, labels, fields, filter } = query;
  const asked = { labelSelector: labels, fieldSelector: fields, filter, ...more };
  const text = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  return `${collectionPath(ref, namespace)}${text === '' ? '' : `?${text}`}`;
}

/** What does the same on the command line. */
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

/** As a shell takes it. */
export function quoted(text: string): string {
  return /^[\w./=:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
