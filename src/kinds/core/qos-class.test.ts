import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { qosClass } from './qos-class.ts';

const full = { cpu: '1', memory: '1Gi' };
const zeros = { cpu: '0', memory: '0' };

// The classes are those that kube-apiserver 1.37.1 writes.
test.each<[expected: string, containers: JsonObject[], more?: JsonObject]>([
  ['BestEffort', [{}]],
  ['BestEffort', [{ requests: { cpu: '0' } }]],
  ['BestEffort', [{ requests: zeros, limits: zeros }]],
  ['BestEffort', [{ requests: { 'ephemeral-storage': '1Gi' } }]],
  ['Burstable', [{ requests: { cpu: '1' } }]],
  ['Burstable', [{ requests: { cpu: '1' }, limits: { cpu: '1' } }]],
  ['Burstable', [{ requests: full, limits: { cpu: '2', memory: '1Gi' } }]],
  ['Burstable', [{ requests: full, limits: full }, {}]],
  ['Burstable', [{ requests: { cpu: '0', memory: '1Gi' }, limits: { cpu: '0', memory: '1Gi' } }]],
  ['Burstable', [{ requests: { cpu: '0', memory: '1Gi' }, limits: full }]],
  ['Guaranteed', [{ requests: full, limits: full }]],
  ['Guaranteed', [{ requests: { cpu: '1000m', memory: '1024Mi' }, limits: full }]],
  [
    'Guaranteed',
    [{ requests: full, limits: full }],
    { initContainers: [{ resources: { requests: full, limits: full } }] },
  ],
  ['Burstable', [{ requests: full, limits: full }], { initContainers: [{}] }],
  // Sums are compared, not the containers one by one.
  [
    'Guaranteed',
    [
      { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } },
      { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
    ],
  ],
  ['Guaranteed', [{}], { resources: { requests: full, limits: full } }],
])('%s: %j %j', (expected, containers, more = {}) => {
  const spec = { containers: containers.map((resources) => ({ resources })), ...more };
  expect(qosClass({ spec })).toBe(expected);
});
