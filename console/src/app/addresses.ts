import type { ResourceRef } from '../api/paths.ts';

/** Placeholders in console paths: the group `''`, and no namespace. Neither is a valid name. */
export const nothing = '-';

/** The object table of a kind. */
export function objectsAddress({ group, version, plural }: ResourceRef): string {
  return `/objects/${[group === '' ? nothing : group, version, plural].map(encodeURIComponent).join('/')}`;
}

/** An object page. */
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

/** The definition page of a kind. */
export function definitionAddress({ group, plural }: Omit<ResourceRef, 'version'>): string {
  return `/definition/${[group === '' ? nothing : group, plural].map(encodeURIComponent).join('/')}`;
}

/** The inverse, for the parameters of a page. */
export function refOf(parameters: Readonly<Record<string, string>>): ResourceRef {
  const { group = '', version = '', plural = '' } = parameters;
  return { group: group === nothing ? '' : group, version, plural };
}
