import { FieldPath, invalid, own } from '../../meta/index.ts';
import { statusOf, stringsOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

const path = FieldPath.of('status', 'storedVersions');

/** `status.storedVersions`: it must contain the storage version, and only versions that the spec has. */
export const storedVersionsRule: CrdRule = ({ crd, spec }) => {
  const status = statusOf(crd);
  const stored = stringsOf(status, 'storedVersions');
  if (stored.length === 0) {
    return [invalid(path, own(status, 'storedVersions'), 'must have at least one stored version')];
  }
  // For a duplicate version, upstream reports the last position.
  const places = new Map(stored.map((name, index) => [name, index]));
  const missing = spec.versions.filter(({ raw, name }) => {
    // Each name is found once, so a second version of that name counts as missing.
    const found = places.delete(name);
    return raw['storage'] === true && !found;
  });
  return [
    ...missing.map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...[...places].map(([name, index]) => invalid(path.index(index), name, goneText(name))),
  ];
};

function goneText(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until ` +
    `a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}
