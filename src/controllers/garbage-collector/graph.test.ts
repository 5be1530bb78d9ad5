import { describe, expect, test } from 'vitest';
import type { OwnerReference } from '../../meta/index.ts';
import { AbsentOwners } from './absent-owners.ts';
import { Graph, type Observation } from './graph.ts';
import { identityOf } from './identity.ts';
import { blockingDependents } from './node.ts';

const reference = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  name,
  uid: `uid-${name}`,
  ...more,
});

const seen = (name: string, owners: OwnerReference[] = [], more: Partial<Observation> = {}): Observation => ({
  key: `/registry/example.com/widgets/default/${name}`,
  identity: identityOf(reference(name), 'default'),
  owners,
  beingDeleted: false,
  finalizers: [],
  ...more,
});

/** A graph that writes down what it asks for. */
function graphWithLog() {
  const log: string[] = [];
  const graph = new Graph({
    attemptToDelete: ({ identity }) => log.push(`delete ${identity.name}`),
    attemptToOrphan: ({ identity }) => log.push(`orphan ${identity.name}`),
    invalidNamespace: ({ identity }, uid) => log.push(`${identity.name} is not where ${uid} is`),
    absent: ({ name, namespace }) => log.push(`absent ${namespace}/${name}`),
  });
  const take = () => log.splice(0);
  return { graph, take };
}

describe('the graph', () => {
  test('keeps only the parts of objects that concern ownership', () => {
    const { graph, take } = graphWithLog();
    graph.observe(seen('free'), undefined);
    expect(graph.size).toBe(0);
    graph.observe(seen('child', [reference('owner')]), undefined);
    expect(graph.size).toBe(2);
    graph.observe(seen('child'), undefined);
    expect(graph.size).toBe(0);
    expect(take()).toEqual(['delete owner']);
  });

  test('an owner that goes has its dependents looked at', () => {
    const { graph, take } = graphWithLog();
    graph.observe(seen('a', [reference('owner')]), undefined);
    graph.observe(seen('b', [reference('owner')]), undefined);
    expect(take()).toEqual(['delete owner']);
    graph.remove(seen('owner').identity);
    expect(take()).toEqual(['absent default/owner', 'delete a', 'delete b']);
  });

  test('a dependent that goes or stops to block has its waiting owner looked at', () => {
    const { graph, take } = graphWithLog();
    const blocks = reference('owner', { blockOwnerDeletion: true });
    const waiting = { beingDeleted: true, finalizers: ['foregroundDeletion'] };
    graph.observe(seen('a', [blocks]), undefined);
    graph.observe(seen('b', [blocks]), undefined);
    graph.observe(seen('owner', [], waiting), seen('owner'));
    expect(take()).toEqual(['delete owner', 'delete a', 'delete b', 'delete owner']);
    graph.observe(seen('a', [reference('owner')]), seen('a', [blocks]));
    expect(take()).toEqual(['delete owner']);
    graph.remove(seen('b', [blocks]).identity);
    expect(take()).toEqual(['delete owner']);
    const owner = graph.get('uid-owner');
    expect(owner && blockingDependents(owner)).toEqual([]);
  });

  test('transitions are edges: what waited before does not begin to', () => {
    const { graph, take } = graphWithLog();
    const orphan = seen('owner', [], { beingDeleted: true, finalizers: ['orphan'] });
    graph.observe(orphan, seen('owner'));
    expect(take()).toEqual(['orphan owner']);
    graph.observe(orphan, orphan);
    expect(take()).toEqual([]);
  });

  test('a missing virtual owner is looked up by its other names', () => {
    const { graph, take } = graphWithLog();
    const wrong = { ...reference('wrong'), uid: 'uid-owner' };
    graph.observe(seen('bad', [wrong]), undefined);
    graph.observe(seen('good', [reference('owner')]), undefined);
    expect(take()).toEqual(['delete wrong', 'delete good']);
    graph.removeAbsent(identityOf(wrong, 'default'));
    expect(take()).toEqual(['absent default/wrong', 'delete bad', 'delete owner']);
    expect(graph.get('uid-owner')?.identity.name).toBe('owner');
  });

  test('an owner in another namespace is reported', () => {
    const { graph, take } = graphWithLog();
    graph.observe(seen('near', [reference('owner')]), undefined);
    const owner = graph.get('uid-owner');
    if (owner !== undefined) graph.confirm(owner, seen('owner').identity);
    take();
    const far = { identity: identityOf(reference('lost'), 'far'), key: 'far' };
    graph.observe(seen('lost', [reference('owner')], far), undefined);
    expect(take()).toEqual(['lost is not where uid-owner is', 'delete lost']);
  });
});

test('absent owners are remembered until 500 others were used since', () => {
  const absent = new AbsentOwners();
  const nth = (n: number) => identityOf(reference(`o${n}`), 'default');
  for (let n = 0; n < 500; n += 1) absent.add(nth(n));
  expect(absent.has(nth(0))).toBe(true);
  absent.add(nth(500));
  expect(absent.has(nth(0))).toBe(true);
  expect(absent.has(nth(1))).toBe(false);
});
