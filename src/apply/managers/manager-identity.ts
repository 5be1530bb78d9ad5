import { goJson } from '../../meta/index.ts';

/** Who manages fields: what makes one `managedFields` entry another one. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/**
 * The identity as one text, as upstream orders managers: `{"manager":"m","operation":"Update","apiVersion":"g/v1"}`.
 * An applier is the same in every version, an updater is another one in each.
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
