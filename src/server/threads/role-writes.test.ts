import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { accessResources, RulesFeed } from '../../access/index.ts';
import { type KubeObject, ownObject } from '../../meta/index.ts';
import { startServerInside } from '../../server.ts';
import { SharedRevisions } from './shared-revisions.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const index = accessResources.findIndex(({ resource }) => resource === 'clusterroles');

test('rules wait for a role that another thread has written until the storage delivers it', async () => {
  const inside = await startServerInside({ listen: false });
  await using server = inside.server;
  const write = async (name: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ metadata: { name }, rules: [] });
    const answer = await server.fetch(roles, { method: 'POST', headers, body });
    const made: KubeObject = JSON.parse(await answer.text());
    return Number(ownObject(made, 'metadata')?.['resourceVersion']);
  };
  const writes = new SharedRevisions(SharedRevisions.memory(accessResources.length));
  const feed = new RulesFeed({ registry: () => inside.registry, onTrouble: () => {}, writes });
  await feed.loading();
  expect(feed.loading()).toBeUndefined();

  // A write of another thread that this one has not seen. Not the next revision: controllers may write, too.
  const later = (await write('first')) + 50;
  writes.note(index, later);
  let isReady = false;
  const waiting = feed.loading()?.then(() => (isReady = true));
  expect(waiting).toBeDefined();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(isReady).toBe(false);
  for (let name = 0; (await write(`role-${name}`)) < later; name += 1);
  await waiting;
  expect(feed.loading()).toBeUndefined();
  await feed.close();
});
