import { type FieldError, type FieldPath, type GroupResource, invalid } from '../meta/index.ts';
import { parseResource } from './encryption-rules.ts';

/**
 * Validates the resource names of one list.
 *
 * Source: apiserver, apis/apiserver/validation/validation_encryption.go.
 */
export function resourceErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  const names = resources.flatMap((name, index) => {
    const fault = nameFault(name);
    return fault === undefined ? [] : [invalid(path.index(index), name, fault)];
  });
  return [...overlapErrors(resources, path), ...names];
}

function overlapErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const value = [...resources];
  if (new Set(resources.map((one) => JSON.stringify(parseResource(one)))).size < resources.length)
    errors.push(invalid(path, value, 'the same resource cannot be specified multiple times'));
  if (overlaps(resources.map(parseResource))) {
    const detail =
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
    errors.push(invalid(path, value, detail));
  }
  return errors;
}

/**
 * True if one name covers another. Upstream skips this comparison for the first pair of equal names, which only matters
 * for wildcards.
 */
function overlaps(resources: readonly GroupResource[]): boolean {
  const groups = new Map<string, { wild: number; count: number }>();
  for (const { group, resource } of resources) {
    const { wild, count } = groups.get(group) ?? { wild: 0, count: 0 };
    groups.set(group, { wild: wild + (resource === '*' ? 1 : 0), count: count + 1 });
  }
  const isAnything = ({ group, resource }: GroupResource) => group === '*' && resource === '*';
  if (resources.length > 1 && resources.some(isAnything)) return true;
  return [...groups.values()].some(({ wild, count }) => wild > 0 && count > 1);
}

const withoutEndpoint: ReadonlySet<string> = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
]);

function nameFault(name: string): string | undefined {
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*')
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (withoutEndpoint.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseResource(name);
  if (group === 'events.k8s.io')
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}
