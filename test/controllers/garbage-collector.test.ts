import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServerOptions } from '../../src/server.ts';
import { type Answer, Api, objectOf, quiet, until } from './api.ts';
import { crdOf } from '../fixtures/crd.ts';

type Body = Answer['body'];

const at = (plural: string, name = '', namespace = 'default') =>
  `/apis/example.com/v1/namespaces/${namespace}/${plural}${name === '' ? '' : `/${name}`}`;
const planets = '/apis/example.com/v1/planets';
const unknownUid = '00000000-0000-4000-8000-000000000000';

/** An owner reference to an object as the server gave it. */
const refTo = ({ apiVersion, kind, metadata }: Body, more: object = {}) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  ...more,
});

const crds = () => [crdOf('Owner'), crdOf('Child'), crdOf('Planet', { scope: 'Cluster' })];

let api: Api;
beforeEach(async () => {
  api = await Api.start({ crds: crds() });
});
afterEach(() => api.close());

const makeOwner = (name = 'owner', metadata: object = {}) =>
  api.create(at('owners'), objectOf('Owner', name, metadata));
const makeChild = (name: string, ownerReferences: readonly object[], metadata: object = {}) =>
  api.create(at('childs'), objectOf('Child', name, { ownerReferences, ...metadata }));
const owner = (name = 'owner') => at('owners', name);
const child = (name = 'child') => at('childs', name);
const release = (path: string) => api.merge(path, { metadata: { finalizers: null } });
const finalizersAt = async (path: string) => (await api.get(path)).body.metadata.finalizers ?? [];

describe('an owner that goes', () => {
  test('takes what only it owned; what has another owner or none stays', async () => {
    const [first, second] = [await makeOwner('first'), await makeOwner('second')];
    await makeChild('only', [refTo(first)]);
    await makeChild('shared', [refTo(first), refTo(second)]);
    await makeChild('free', []);
    await api.delete(owner('first'));
    await api.gone(child('only'));
    const shared = await api.settles(child('shared'), (body) => body.metadata.ownerReferences.length === 1);
    expect(shared.metadata.ownerReferences).toEqual([refTo(second)]);
    await quiet();
    expect(await api.exists(child('free'))).toBe(true);
    expect(api.troubles).toEqual([]);
  });

  test('takes what its children own, and so on', async () => {
    let parent = await makeOwner();
    for (let depth = 1; depth <= 10; depth += 1) parent = await makeChild(`c${depth}`, [refTo(parent)]);
    await api.delete(owner());
    await api.gone(child('c10'));
    expect((await api.get(at('childs'))).body.items).toEqual([]);
  });

  test('takes many', async () => {
    const made = await makeOwner();
    for (let n = 0; n < 200; n += 1) await makeChild(`c${n}`, [refTo(made)]);
    await api.delete(owner());
    await until(async () => (await api.get(at('childs'))).body.items.length === 0);
  });

  test('takes objects of built-in kinds, and is taken by them', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const made = await makeOwner();
    const lease = await api.create(leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'owned', ownerReferences: [refTo(made)] },
    });
    await makeChild('child', [refTo(lease)]);
    await api.delete(owner());
    await api.gone(`${leases}/owned`);
    await api.gone(child());
  });

  test('takes children on which another wrote at the same time', async () => {
    const made = await makeOwner();
    await makeChild('child', [refTo(made)]);
    await api.delete(owner());
    let writes = 0;
    await until(async () => {
      writes += 1;
      const metadata = { annotations: { n: String(writes) } };
      const { code } = await api.call('PATCH', child(), { metadata }, 'application/merge-patch+json');
      return code === 404;
    });
  });

  test('leaves a child that its own finalizers hold marked', async () => {
    const made = await makeOwner();
    await makeChild('child', [refTo(made)], { finalizers: ['example.com/x'] });
    await api.delete(owner());
    await api.gone(owner());
    await api.settles(child(), (body) => body.metadata.deletionTimestamp !== undefined);
    await release(child());
    await api.gone(child());
  });

  test('is found out later where the collector was off', async () => {
    const storage = { kind: 'sqlite', dataDir: mkdtempSync(join(tmpdir(), 'ilk-test-')) } as const;
    try {
      await leaveChildBehind(storage);
      await using late = await Api.start({ storage });
      await late.gone(child());
      expect(await late.exists(child('kept'))).toBe(true);
    } finally {
      rmSync(storage.dataDir, { recursive: true });
    }
  });

  async function leaveChildBehind(storage: ServerOptions['storage'] & object): Promise<void> {
    await using off = await Api.start({ storage, crds: crds(), disableControllers: ['garbage-collector'] });
    const made = await off.create(at('owners'), objectOf('Owner', 'owner'));
    const other = await off.create(at('owners'), objectOf('Owner', 'other'));
    await off.create(at('childs'), objectOf('Child', 'child', { ownerReferences: [refTo(made)] }));
    await off.create(at('childs'), objectOf('Child', 'kept', { ownerReferences: [refTo(other)] }));
    await off.delete(owner());
    await quiet();
    expect(await off.exists(child())).toBe(true);
  }
});

describe('an owner that is not there', () => {
  test('a child of a uid that never was goes', async () => {
    await makeChild('child', [{ apiVersion: 'example.com/v1', kind: 'Owner', name: 'x', uid: unknownUid }]);
    await api.gone(child());
  });

  test('a child of an object of the same name with another uid goes', async () => {
    const made = await makeOwner();
    await makeChild('child', [{ ...refTo(made), uid: unknownUid }]);
    await api.gone(child());
    expect(await api.exists(owner())).toBe(true);
  });

  test('a dangling reference beside a solid one is taken away', async () => {
    const made = await makeOwner();
    const dangling = { apiVersion: 'example.com/v1', kind: 'Owner', name: 'x', uid: unknownUid };
    await makeChild('child', [dangling, refTo(made)]);
    const left = await api.settles(child(), (body) => body.metadata.ownerReferences.length === 1);
    expect(left.metadata.ownerReferences).toEqual([refTo(made)]);
  });

  test('a child of a kind that is not served stays: nothing is known of its owner', async () => {
    await makeChild('child', [{ apiVersion: 'example.com/v1', kind: 'Nobody', name: 'x', uid: unknownUid }]);
    await makeChild('other', [{ apiVersion: 'example.com/v9', kind: 'Owner', name: 'x', uid: unknownUid }]);
    await quiet();
    expect(await api.exists(child())).toBe(true);
    expect(await api.exists(child('other'))).toBe(true);
    await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crdOf('Nobody'));
    await api.gone(child());
    expect(await api.exists(child('other'))).toBe(true);
    expect(api.troubles).toEqual([]);
  });

  test('a solid owner called by the wrong kind, name or version is no owner', async () => {
    const made = await makeOwner();
    await makeChild('good', [refTo(made)]);
    await makeChild('kind', [{ ...refTo(made), kind: 'Child' }]);
    await makeChild('name', [{ ...refTo(made), name: 'another' }]);
    await api.gone(child('kind'));
    await api.gone(child('name'));
    await quiet();
    expect(await api.exists(child('good'))).toBe(true);
    await makeChild('late', [{ ...refTo(made), name: 'another' }]);
    await api.gone(child('late'));
    await api.delete(owner());
    await api.gone(child('good'));
  });

  test('wrong names first do not cost the children with the right one', async () => {
    const made = await makeOwner();
    for (let n = 0; n < 5; n += 1) await makeChild(`bad${n}`, [{ ...refTo(made), name: `other${n}` }]);
    for (let n = 0; n < 5; n += 1) await makeChild(`good${n}`, [refTo(made)]);
    await until(async () => (await api.get(at('childs'))).body.items.length === 5);
    await quiet();
    const { items } = (await api.get(at('childs'))).body;
    expect(items.map((one: Body) => one.metadata.name)).toEqual([
      'good0',
      'good1',
      'good2',
      'good3',
      'good4',
    ]);
  });
});

describe('another namespace', () => {
  const events = async (namespace: string) =>
    (await api.get(`/api/v1/namespaces/${namespace}/events`)).body.items;

  test('an owner there is no owner here: the child goes, and an event says why', async () => {
    await api.namespace('far');
    const made = await makeOwner();
    await makeChild('near', [refTo(made)]);
    const lost = objectOf('Child', 'lost', { ownerReferences: [refTo(made)] });
    const created = await api.create(at('childs', '', 'far'), lost);
    await api.gone(at('childs', 'lost', 'far'));
    await until(async () => (await events('far')).length > 0);
    const [event] = await events('far');
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message:
        `ownerRef [example.com/v1/Owner, namespace: far, name: owner, uid: ${made.metadata.uid}] ` +
        'does not exist in namespace "far"',
      source: { component: 'garbage-collector-controller' },
      involvedObject: {
        apiVersion: 'example.com/v1',
        kind: 'Child',
        namespace: 'far',
        name: 'lost',
        uid: created.metadata.uid,
      },
    });
    expect(await api.exists(child('near'))).toBe(true);
  });

  test('also where the wrong child is the first to name the owner', async () => {
    await api.namespace('far');
    const made = await makeOwner();
    await api.create(at('childs', '', 'far'), objectOf('Child', 'lost', { ownerReferences: [refTo(made)] }));
    await api.gone(at('childs', 'lost', 'far'));
    await until(async () => (await events('far')).length === 1);
    await makeChild('near', [refTo(made)]);
    await quiet();
    expect(await api.exists(child('near'))).toBe(true);
  });
});

describe('cluster-scoped owners', () => {
  test('own children in every namespace', async () => {
    await api.namespace('far');
    const planet = await api.create(planets, objectOf('Planet', 'mars'));
    const lost = { apiVersion: 'example.com/v1', kind: 'Planet', name: 'venus', uid: unknownUid };
    for (const namespace of ['default', 'far']) {
      await api.create(
        at('childs', '', namespace),
        objectOf('Child', 'kept', { ownerReferences: [refTo(planet)] }),
      );
      await api.create(at('childs', '', namespace), objectOf('Child', 'lost', { ownerReferences: [lost] }));
    }
    await api.gone(at('childs', 'lost'));
    await api.gone(at('childs', 'lost', 'far'));
    await quiet();
    expect(await api.exists(at('childs', 'kept', 'far'))).toBe(true);
    await api.delete(`${planets}/mars`);
    await api.gone(at('childs', 'kept'));
    await api.gone(at('childs', 'kept', 'far'));
  });

  test('cannot be owned by what lives in a namespace: nothing is deleted', async () => {
    const made = await makeOwner();
    await api.create(planets, objectOf('Planet', 'mars', { ownerReferences: [refTo(made)] }));
    await api.delete(owner());
    await quiet();
    expect(await api.exists(`${planets}/mars`)).toBe(true);
    expect(api.troubles).toEqual([]);
  });

  test('own each other', async () => {
    const sun = await api.create(planets, objectOf('Planet', 'sun'));
    await api.create(planets, objectOf('Planet', 'mars', { ownerReferences: [refTo(sun)] }));
    await api.delete(`${planets}/sun`);
    await api.gone(`${planets}/mars`);
  });
});

describe('in the foreground', () => {
  const foreground = { propagationPolicy: 'Foreground' };
  const blocking = { blockOwnerDeletion: true };
  const held = { finalizers: ['example.com/x'] };

  test('an owner waits for the dependents that block it, then goes', async () => {
    const made = await makeOwner();
    await makeChild('free', [refTo(made, blocking)]);
    await makeChild('held', [refTo(made, blocking)], held);
    const deleted = await api.delete(owner(), foreground);
    expect(deleted.metadata.finalizers).toEqual(['foregroundDeletion']);
    await api.gone(child('free'));
    await api.settles(child('held'), (body) => body.metadata.deletionTimestamp !== undefined);
    await quiet();
    expect(await finalizersAt(owner())).toEqual(['foregroundDeletion']);
    await release(child('held'));
    await api.gone(owner());
    await api.gone(child('held'));
  });

  test('it does not wait for those that do not', async () => {
    const made = await makeOwner();
    await makeChild('no', [refTo(made, { blockOwnerDeletion: false })], held);
    await makeChild('nil', [refTo(made)], held);
    await api.delete(owner(), foreground);
    await api.gone(owner());
    await api.settles(child('nil'), (body) => body.metadata.deletionTimestamp !== undefined);
  });

  test('nor for those that stop to block it', async () => {
    const made = await makeOwner();
    await makeChild('held', [refTo(made, blocking)], held);
    await api.delete(owner(), foreground);
    await quiet();
    expect(await api.exists(owner())).toBe(true);
    await api.merge(child('held'), { metadata: { ownerReferences: [refTo(made)] } });
    await api.gone(owner());
  });

  test('an owner without dependents goes', async () => {
    await makeOwner();
    await api.delete(owner(), foreground);
    await api.gone(owner());
  });

  test('a child with another, solid owner stays and blocks no owner', async () => {
    const [first, second] = [await makeOwner('first'), await makeOwner('second')];
    await makeChild('child', [refTo(first, blocking), refTo(second)]);
    await api.delete(owner('first'), foreground);
    await api.gone(owner('first'));
    const left = (await api.get(child())).body;
    expect(left.metadata.ownerReferences).toEqual([refTo(second)]);
    expect(left.metadata.deletionTimestamp).toBeUndefined();
  });

  test('grandchildren go before children, children before the owner', async () => {
    const made = await makeOwner();
    const middle = await makeChild('middle', [refTo(made, blocking)]);
    await makeChild('leaf', [refTo(middle, blocking)], held);
    await api.delete(owner(), foreground);
    await api.settles(child('leaf'), (body) => body.metadata.deletionTimestamp !== undefined);
    await quiet();
    expect(await finalizersAt(child('middle'))).toEqual(['foregroundDeletion']);
    expect(await finalizersAt(owner())).toEqual(['foregroundDeletion']);
    await release(child('leaf'));
    await api.gone(child('middle'));
    await api.gone(owner());
  });

  test('a second deletion sets the finalizer again, and it goes again', async () => {
    await makeOwner('owner', held);
    for (let round = 1; round <= 2; round += 1) {
      await api.delete(owner(), foreground);
      await until(async () => (await finalizersAt(owner())).join() === 'example.com/x');
    }
    await release(owner());
    await api.gone(owner());
  });

  test('a circle comes to an end', async () => {
    const a = await makeChild('a', []);
    const b = await makeChild('b', [refTo(a, blocking)]);
    await api.merge(child('a'), { metadata: { ownerReferences: [refTo(b, blocking)] } });
    await api.delete(child('a'), foreground);
    await api.gone(child('a'));
    await api.gone(child('b'));
  });

  test('kinds mix: a custom resource owns a lease that owns a custom resource', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const made = await makeOwner();
    const lease = await api.create(leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'middle', ownerReferences: [refTo(made, blocking)] },
    });
    await makeChild('leaf', [refTo(lease, blocking)]);
    await api.delete(owner(), foreground);
    await api.gone(owner());
    await api.gone(`${leases}/middle`);
    await api.gone(child('leaf'));
  });
});

describe('orphans', () => {
  const cases = [
    ['propagationPolicy Orphan', [], { propagationPolicy: 'Orphan' }],
    ['orphanDependents true', [], { orphanDependents: true }],
    ['the finalizer and no options', ['orphan'], {}],
  ] as const;
  for (const [what, finalizers, options] of cases) {
    test(`${what}: the owner goes, its dependents stay without the reference`, async () => {
      const made = await makeOwner('owner', { finalizers });
      const other = await makeOwner('other');
      for (let n = 0; n < 5; n += 1) await makeChild(`c${n}`, [refTo(made, { blockOwnerDeletion: true })]);
      await makeChild('shared', [refTo(made), refTo(other)]);
      await api.delete(owner(), options);
      await api.gone(owner());
      await quiet();
      const { items } = (await api.get(at('childs'))).body;
      expect(items).toHaveLength(6);
      const references = items.flatMap((one: Body) => one.metadata.ownerReferences ?? []);
      expect(references).toEqual([refTo(other)]);
    });
  }

  test('orphanDependents false overrules the finalizer', async () => {
    const made = await makeOwner('owner', { finalizers: ['orphan'] });
    await makeChild('child', [refTo(made)]);
    await api.delete(owner(), { orphanDependents: false });
    await api.gone(owner());
    await api.gone(child());
  });

  test('a child that is collected orphans its own dependents where its finalizer says so', async () => {
    const made = await makeOwner();
    const middle = await makeChild('middle', [refTo(made)], { finalizers: ['orphan'] });
    await makeChild('leaf', [refTo(middle)]);
    await api.delete(owner());
    await api.gone(child('middle'));
    await quiet();
    expect((await api.get(child('leaf'))).body.metadata.ownerReferences ?? []).toEqual([]);
  });
});

describe('CRDs that come and go', () => {
  test('the instances of a deleted CRD take their dependents along, again and again', async () => {
    const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (let round = 1; round <= 2; round += 1) {
      const made = await makeOwner();
      await makeChild('child', [refTo(made)]);
      await api.delete(`${crd}/owners.example.com`);
      await api.gone(`${crd}/owners.example.com`);
      await until(async () => (await api.get(at('childs'))).body.items.length === 0);
      await api.create(crd, crdOf('Owner'));
      await until(() => api.exists(at('owners')));
    }
  });

  test('a CRD is owned like any object', async () => {
    const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const planet = await api.create(planets, objectOf('Planet', 'mars'));
    const moon = crdOf('Moon');
    await api.create(crd, { ...moon, metadata: { ...moon.metadata, ownerReferences: [refTo(planet)] } });
    await api.delete(`${planets}/mars`);
    await api.gone(`${crd}/moons.example.com`);
  });

  test('a namespace goes although its objects own each other in the foreground', async () => {
    await api.namespace('doomed');
    const made = await api.create(at('owners', '', 'doomed'), objectOf('Owner', 'o'));
    const ownerReferences = [refTo(made, { blockOwnerDeletion: true })];
    await api.create(at('childs', '', 'doomed'), objectOf('Child', 'c', { ownerReferences }));
    await api.delete(at('owners', 'o', 'doomed'), { propagationPolicy: 'Foreground' });
    await api.delete('/api/v1/namespaces/doomed');
    await api.gone('/api/v1/namespaces/doomed');
  });
});
