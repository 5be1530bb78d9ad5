import { expect, test } from 'vitest';
import { AbsentOwners } from './absent-owners.ts';
import { compareIdentities, identityOf, identityText, refersTo, sameIdentity } from './identity.ts';

const owner = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'a', uid: 'u' };

test('a reference names an object of its namespace', () => {
  expect(identityOf({ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' }, 'shop')).toEqual(owner);
  expect(identityText(owner)).toBe('[v1/Pod, namespace: shop, name: a, uid: u]');
});

test.each(['apiVersion', 'kind', 'name', 'uid'] as const)('%s tells objects apart', (field) => {
  expect(refersTo({ ...owner, [field]: 'x' }, owner)).toBe(false);
  expect(sameIdentity({ ...owner, [field]: 'x' }, owner)).toBe(false);
});

test('the namespace tells objects apart, but not references', () => {
  expect(refersTo({ ...owner, namespace: 'x' } as typeof owner, owner)).toBe(true);
  expect(sameIdentity({ ...owner, namespace: 'x' }, owner)).toBe(false);
  expect(sameIdentity({ ...owner }, owner)).toBe(true);
});

test('kinds come together in order', () => {
  const others = [
    { ...owner, kind: 'Node', name: 'z' },
    { ...owner, name: 'b' },
    owner,
    { ...owner, apiVersion: 'v0', name: 'y' },
  ];
  expect(others.sort(compareIdentities).map(({ name }) => name)).toEqual(['z', 'y', 'a', 'b']);
  expect(compareIdentities(owner, { ...owner })).toBe(0);
});

test('of 501 absent owners, the longest unused is forgotten', () => {
  const absent = new AbsentOwners();
  const numbered = (uid: number) => ({ ...owner, uid: `${uid}` });
  for (let uid = 0; uid < 500; uid += 1) absent.add(numbered(uid));
  expect(absent.has(numbered(0))).toBe(true);
  absent.add(numbered(500));
  expect([0, 1, 2, 500].map((uid) => absent.has(numbered(uid)))).toEqual([true, false, true, true]);
});
