import { FieldPath, invalid, own } from '../../meta/index.ts';
import { statusOf, stringsOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

const path = FieldPath.of('status', 'storedVersions');

/** The versions that objects may be stored in: the storage version is one, and none of them may go. */
export const storedVersionsRule: CrdRule = ({ crd, spec }) => {
  const status = statusOf(crd);
  const stored = stringsOf(status, 'storedVersions');
  if (stored.length === 0) {
    return [invalid(path, own(status, 'storedVersions'), 'must have at least one stored version')];
  }
  // Where a version stands twice, upstream names the last place.
  const places = new Map(stored.map((name, index) => [name, index]));
  const missing = spec.versions.filter(({ raw, name }) => {
    // Each is found once, so a second version of that name counts as missing.
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
