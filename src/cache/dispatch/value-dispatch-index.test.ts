import { describe, expect, test } from 'vitest';
import { Change, type Matches } from '../entries/change.ts';
import type { Interest } from './dispatch-index.ts';
import { bucketOf, type IndexDefinition, ViewEntry } from '../index.ts';
import type { Scope } from './scope.ts';
import { prefix, type WidgetContent, widgetIndexes } from '../widgets.test-support.ts';
import { ValueDispatchIndex, IndexedValues } from './value-dispatch-index.ts';

const everything: Scope = { kind: 'all' };
const below = (namespace: string): Scope => ({ kind: 'prefix', prefix: `${prefix}${namespace}/` });

/** Watchers that record what they are offered. */
function office() {
  const index = new ValueDispatchIndex<unknown>();
  const indexes = widgetIndexes();
  const offered: string[] = [];
  const watch = (
    name: string,
    field: IndexDefinition<unknown>,
    values: string[],
    scope: Scope = everything,
  ) => {
    const matches: Matches<unknown> | undefined = undefined;
    const indexedValues = new IndexedValues(field, values.map(bucketOf));
    const interest: Interest<unknown> = {
      scope,
      matches,
      indexedValues,
      offer: () => void offered.push(name),
    };
    return { taken: index.add(interest), interest };
  };
  const change = (
    name: string,
    old: WidgetContent | undefined,
    now: WidgetContent | 'no JSON' | undefined,
  ): string[] => {
    offered.length = 0;
    const entry = (widget: WidgetContent | string | undefined, revision: number) => {
      const text = typeof widget === 'string' ? widget : JSON.stringify(widget);
      return widget && new ViewEntry<unknown>(prefix + name, revision, Buffer.from(text));
    };
    index.dispatch(
      new Change(prefix + name, {
        revision: 2,
        previous: entry(old, 1) || undefined,
        entry: entry(now, 2) || undefined,
        atMs: 0,
      }),
    );
    return [...offered].sort();
  };
  return { index, watch, change, ...indexes };
}

const blue: WidgetContent = { color: 'blue' };
const red: WidgetContent = { color: 'red' };

describe('watchers by value', () => {
  test('a change concerns those of the old value and those of the new one', () => {
    const { watch, change, color } = office();
    for (const value of ['blue', 'red', 'green', '']) watch(value || 'none', color, [value]);
    expect(change('a/1', undefined, blue)).toEqual(['blue']);
    expect(change('a/1', blue, blue)).toEqual(['blue']);
    expect(change('a/1', blue, red)).toEqual(['blue', 'red']);
    expect(change('a/1', red, undefined)).toEqual(['red']);
    expect(change('a/1', red, {})).toEqual(['none', 'red']);
  });

  test('a watcher of both is notified once', () => {
    const { watch, change, color, tags } = office();
    watch('both', color, ['blue', 'red']);
    watch('tags', tags, ['new', 'hot']);
    expect(change('a/1', blue, red)).toEqual(['both']);
    expect(change('a/1', { tags: ['new', 'hot'] }, { tags: ['hot', 'old'] })).toEqual(['tags']);
  });

  test('within its namespace', () => {
    const { watch, change, color } = office();
    watch('a', color, ['blue'], below('a'));
    watch('ab', color, ['blue'], below('ab'));
    watch('all', color, ['blue'], { kind: 'prefix', prefix });
    expect(change('a/1', undefined, blue)).toEqual(['a', 'all']);
    expect(change('ab/1', undefined, blue)).toEqual(['ab', 'all']);
  });

  test('long values and __proto__ are values', () => {
    const { watch, change, color } = office();
    for (const value of ['__proto__', 'x'.repeat(1_000), 'x'.repeat(1_001)])
      watch(value.slice(0, 9) + value.length, color, [value]);
    expect(change('a/1', { color: '__proto__' }, { color: 'x'.repeat(1_001) })).toEqual([
      '__proto__9',
      'xxxxxxxxx1001',
    ]);
  });

  test('a removed watcher is not notified, and leaves nothing behind', () => {
    const { watch, change, index, color, reads } = office();
    const watchers = [watch('1', color, ['blue']), watch('2', color, ['blue', 'red'], below('a'))];
    for (const { interest } of watchers) index.delete(interest);
    index.delete(watch('3', color, ['blue']).interest);
    expect(change('a/1', blue, red)).toEqual([]);
    expect(reads.fields).toBe(0);
  });

  test('watchers of one object, of too many values, or of a 65th field are left to the next index', () => {
    const { watch, color, label } = office();
    expect(watch('key', color, ['blue'], { kind: 'key', key: `${prefix}a/1` }).taken).toBe(false);
    const many = Array.from({ length: 65 }, (_, at) => `c${at}`);
    expect(watch('many', color, many).taken).toBe(false);
    const taken = many.map((key) => watch(key, label(key), ['']).taken);
    expect(taken.filter((one) => one)).toHaveLength(64);
  });

  test('what cannot be read concerns everybody who may be concerned', () => {
    const { watch, change, color } = office();
    watch('a', color, ['blue'], below('a'));
    watch('b', color, ['blue'], below('b'));
    watch('all', color, ['red']);
    expect(change('a/1', blue, undefined)).toEqual(['a']);
    expect(change('a/1', blue, 'no JSON')).toEqual(['a', 'all']);
  });

  test('ten thousand watchers cost a change no more than ten', () => {
    const { watch, change, color, reads } = office();
    for (let at = 0; at < 10_000; at += 1) watch(`${at}`, color, [`c${at}`]);
    expect(change('a/1', { color: 'c7' }, { color: 'c9000' })).toEqual(['7', '9000']);
    expect(reads.fields).toBe(2);
  });
});
