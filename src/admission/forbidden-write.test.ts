import { expect, test } from 'vitest';
import type { KubeObject } from '../meta/index.ts';
import { forbiddenWrite } from './forbidden-write.ts';

const resource = { group: 'example.com', version: 'v1', resource: 'widgets' };

test.each<[name: string, object: KubeObject | undefined, shown: string]>([
  ['a', { metadata: { generateName: 'b-' } }, 'a'],
  ['', { metadata: { generateName: 'b-' } }, 'b-'],
  ['', { metadata: {} }, 'Unknown'],
  ['', undefined, 'Unknown'],
])('the name %j of %j is shown as %j', (name, object, shown) => {
  const { status } = forbiddenWrite({ resource, name, object }, 'no');
  expect(status).toMatchObject({
    message: `widgets.example.com "${shown}" is forbidden: no`,
    details: { name: shown, group: 'example.com', kind: 'widgets' },
  });
});
