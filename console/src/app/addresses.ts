import type { ResourceRef } from '../api/paths.ts';

/** In a path of the console: the group `''`, and no namespace. Neither can be a name. */
export const nothing = '-';

/** The table of the objects of a kind. */
export function objectsAddress({ group, version, plural }: ResourceRef): string {
  return `/objects/${[group === '' ? nothing : group, version, plural].map(encodeURIComponent).join('/')}`;
}

/** One object. */
export function objectAddress(
  { group, version, plural }: ResourceRef,
  namespace: string,
  name: string,
): string {
  const parts = [
    group === '' ? nothing : group,
    version,
    plural,
    namespace === '' ? nothing : namespace,
    name,
  ];
  return `/object/${parts.map(encodeURIComponent).join('/')}`;
}

/** The definition of a kind. */
export function definitionAddress({ group, plural }: Omit<ResourceRef, 'version'>): string {
  return `/definition/${[group === '' ? nothing : group, plural].map(encodeURIComponent).join('/')}`;
}

/** The opposite, for the parameters that a page was opened with. */
export function refOf(parameters: Readonly<Record<string, string>>): ResourceRef {
  const { group = '', version = '', plural = '' } = parameters;
  return { group: group === nothing ? '' : group, version, plural };
}
