import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { widgetKind, widgetResource, writeOf } from '../attributes.test-support.ts';
import { matchResources, matchResourcesOf } from './match-resources.ts';

const rule = (apiVersion: string, resource = 'widgets') => ({
  operations: ['*'],
  apiGroups: ['example.com'],
  apiVersions: [apiVersion],
  resources: [resource],
});
const v2 = {
  resource: { ...widgetResource, version: 'v2' },
  kind: { ...widgetKind, version: 'v2' },
};
const asItself = { resource: widgetResource, kind: widgetKind };

/** How a write of a v1 widget, which is also served as v2, is matched. */
const match = (fields: JsonObject, namespace = 'shop') =>
  matchResources(
    matchResourcesOf(fields),
    writeOf({ namespace, equivalents: [v2], object: { metadata: { labels: { color: 'blue' } } } }).attributes,
    async (name) => (name === 'shop' ? { metadata: { labels: { team: 'a' } } } : undefined),
  );

describe('a write is matched', () => {
  test.each<[string, JsonObject, object | undefined]>([
    ['without rules', {}, asItself],
    ['by its own version', { resourceRules: [rule('v1')] }, asItself],
    ['by another one', { resourceRules: [rule('v2')] }, v2],
    ['by its own before another one', { resourceRules: [rule('v2'), rule('v1')] }, asItself],
    ['by no other where rules are exact', { matchPolicy: 'Exact', resourceRules: [rule('v2')] }, undefined],
    ['by no version', { resourceRules: [rule('v3')] }, undefined],
    ['unless it is excluded', { resourceRules: [rule('v1')], excludeResourceRules: [rule('v1')] }, undefined],
    ['unless another version is', { excludeResourceRules: [rule('v2')] }, undefined],
    ['by its labels', { objectSelector: { matchLabels: { color: 'blue' } } }, asItself],
    ['unless they differ', { objectSelector: { matchLabels: { color: 'red' } } }, undefined],
    ['by its namespace', { namespaceSelector: { matchLabels: { team: 'a' } } }, asItself],
    ['unless that differs', { namespaceSelector: { matchLabels: { team: 'b' } } }, undefined],
  ])('%s', async (_, fields, expected) => expect(await match(fields)).toEqual(expected));

  test('a namespace that is not there is an error only where all else matches', async () => {
    const selector = { namespaceSelector: { matchLabels: { team: 'a' } } };
    await expect(match(selector, 'none')).rejects.toThrow('namespaces "none" not found');
    expect(await match({ ...selector, resourceRules: [rule('v3')] }, 'none')).toBeUndefined();
  });
});
