import { describe, expect, test } from 'vitest';
import { type KubeObject, StatusError } from '../../meta/index.ts';
import { writeOf } from '../attributes.test-support.ts';
import { matchesNamespace, matchesObject, selectorsOf } from './selectors.ts';

const blue = { matchLabels: { color: 'blue' } };
const labelled = (color: string): KubeObject => ({ metadata: { labels: { color } } });
const namespaceResource = { group: '', version: 'v1', resource: 'namespaces' };

describe('an object selector', () => {
  test.each<[object: KubeObject | undefined, oldObject: KubeObject | undefined, expected: boolean]>([
    [labelled('blue'), undefined, true],
    [labelled('red'), undefined, false],
    [labelled('red'), labelled('blue'), true],
    [labelled('blue'), labelled('red'), true],
    [undefined, labelled('blue'), true],
    [undefined, undefined, false],
    [{}, undefined, false],
  ])('of %j, before %j: %s', (object, oldObject, expected) => {
    expect(matchesObject(selectorsOf({ objectSelector: blue }), { object, oldObject })).toBe(expected);
  });

  test('that is empty selects everything', () => {
    expect(matchesObject(selectorsOf({}), { object: undefined, oldObject: undefined })).toBe(true);
  });
});

describe('a namespace selector', () => {
  const selectors = selectorsOf({ namespaceSelector: blue });
  /** Matches a write if the namespace `shop` has this color; no other namespace exists. */
  async function match(color: string, write: Parameters<typeof writeOf>[0] = {}) {
    const looked: string[] = [];
    const find = async (name: string) => {
      looked.push(name);
      return name === 'shop' ? labelled(color) : undefined;
    };
    return { result: await matchesNamespace(selectors, writeOf(write).attributes, find), looked };
  }

  test('looks at the labels of the namespace', async () => {
    expect(await match('blue')).toEqual({ result: true, looked: ['shop'] });
    expect(await match('red')).toEqual({ result: false, looked: ['shop'] });
  });

  test('always selects what has no namespace', async () => {
    expect(await match('red', { namespace: '' })).toEqual({ result: true, looked: [] });
  });

  test.each(['CREATE', 'UPDATE'] as const)('looks at a Namespace itself on %s', async (operation) => {
    const write = { operation, resource: namespaceResource, object: labelled('blue') };
    expect(await match('red', write)).toEqual({ result: true, looked: [] });
  });

  test.each([{ operation: 'DELETE' as const }, { operation: 'UPDATE' as const, subresource: 'status' }])(
    'looks at the stored Namespace on %j',
    async (more) => {
      const write = { ...more, resource: namespaceResource, object: labelled('blue') };
      expect(await match('red', write)).toEqual({ result: false, looked: ['shop'] });
    },
  );

  test('gives the error for a namespace that is not there', async () => {
    const { result } = await match('blue', { namespace: 'none' });
    expect(result).toBeInstanceOf(StatusError);
    expect(result).toMatchObject({ code: 404, message: 'namespaces "none" not found' });
  });

  test('that is empty looks at none', async () => {
    const find = () => Promise.reject(new Error('asked'));
    expect(await matchesNamespace(selectorsOf({}), writeOf().attributes, find)).toBe(true);
  });
});
