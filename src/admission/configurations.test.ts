import { expect, test } from 'vitest';
import type { KubeObject } from '../meta/index.ts';
import { ByScope, Configurations } from './configurations.ts';

const named = (name: string): KubeObject => ({ metadata: { name } });

test('what is made of an object is made once, and retired with it', () => {
  const [a, b, c] = [named('a'), named('b'), named('c')];
  let objects: readonly KubeObject[] = [a, b];
  const made: KubeObject[] = [];
  const retired: string[] = [];
  const configurations = new Configurations(
    { current: () => objects },
    (object) => {
      made.push(object);
      return JSON.stringify(object);
    },
    { retire: (text) => void retired.push(text) },
  );
  const first = configurations.current();
  expect(configurations.current()).toBe(first);
  objects = [b, c];
  expect(configurations.current()).toEqual([JSON.stringify(b), JSON.stringify(c)]);
  expect(made).toEqual([a, b, c]);
  expect(retired).toEqual([JSON.stringify(a)]);
});

test('what is made of a part of an object is kept until that part changes', () => {
  const policy = (name: string, uid: string, size: number, seen = 0): KubeObject => ({
    metadata: { name, uid },
    spec: { size },
    status: { seen },
  });
  let objects: readonly KubeObject[] = [];
  const made: string[] = [];
  const configurations = new Configurations(
    { current: () => objects },
    (object) => {
      made.push(JSON.stringify(object));
      return object;
    },
    { partOf: ({ spec = null }) => spec },
  );
  const madeFor = (...now: KubeObject[]) => {
    objects = now;
    made.length = 0;
    const names = configurations.current().map((object) => (object['metadata'] as { name: string }).name);
    return [names.join(), made.length];
  };
  expect(madeFor(policy('a', '1', 5), policy('b', '2', 5))).toEqual(['a,b', 2]);
  expect(madeFor(policy('a', '1', 5, 1), policy('b', '2', 5))).toEqual(['a,b', 0]);
  expect(madeFor(policy('a', '1', 6, 1), policy('b', '2', 5))).toEqual(['a,b', 1]);
  expect(madeFor(policy('a', '3', 6, 1))).toEqual(['a', 1]);
  expect(madeFor(policy('c', '3', 6, 1))).toEqual(['c', 1]);
});

test('what is handled is decided once for each list of configurations', () => {
  const scopes = new ByScope<boolean>();
  const scopeOf = (group: string) => ({
    operation: 'CREATE' as const,
    resource: { group, version: 'v1', resource: 'widgets' },
    subresource: '',
  });
  let decisions = 0;
  const decide = (answer: boolean) => () => {
    decisions += 1;
    return answer;
  };
  const list: unknown[] = [];
  expect(scopes.of(list, scopeOf('a'), decide(false))).toBe(false);
  expect(scopes.of(list, scopeOf('a'), decide(true))).toBe(false);
  expect(scopes.of(list, scopeOf('b'), decide(true))).toBe(true);
  expect(decisions).toBe(2);
  expect(scopes.of([], scopeOf('a'), decide(true))).toBe(true);
});
