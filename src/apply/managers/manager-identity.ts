import { goJson } from '../../meta/index.ts';

/** The identity of a manager: the parts that distinguish `managedFields` entries. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/**
 * The identity as one text, as upstream orders managers: `{"manager":"m","operation":"Update","apiVersion":"g/v1"}`.
 * An applier has one identity in all versions, an updater has one in each version.
 */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const parts = [
    ...(manager === '' ? [] : [`"manager":${goJson(manager)}`]),
    `"operation":"${operation}"`,
    ...(operation === 'Apply' || apiVersion === '' ? [] : [`"apiVersion":${goJson(apiVersion)}`]),
    ...(subresource === '' ? [] : [`"subresource":${goJson(subresource)}`]),
  ];
  return `{${parts.join(',')}}`;
}
