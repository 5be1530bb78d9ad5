import { expect, test } from 'vitest';
import {
  type CrdCondition,
  crdConditions,
  findCondition,
  hasCondition,
  removeCondition,
  setCondition,
} from './conditions.ts';
import { fooCrd } from './example.test-data.ts';

const established: CrdCondition = { type: 'Established', status: 'True', reason: 'R', message: 'M' };

test('a condition that is set can be found', () => {
  const crd = fooCrd();
  setCondition(crd, established, 1_000);
  expect(findCondition(crd, 'Established')).toEqual({
    ...established,
    lastTransitionTime: '1970-01-01T00:00:01Z',
  });
  expect(hasCondition(crd, established)).toBe(true);
  expect(hasCondition(crd, { ...established, reason: 'other' })).toBe(false);
  expect(findCondition(crd, 'Terminating')).toBeUndefined();
});

test('the time moves with the status only, and what else the condition holds stays', () => {
  const crd = fooCrd(
    {},
    { status: { conditions: [{ type: 'Established', status: 'True', observedGeneration: 3 }] } },
  );
  setCondition(crd, established, 1_000);
  setCondition(crd, { ...established, message: '' }, 2_000);
  expect(findCondition(crd, 'Established')).toEqual({
    type: 'Established',
    status: 'True',
    reason: 'R',
    lastTransitionTime: '1970-01-01T00:00:01Z',
    observedGeneration: 3,
  });
  setCondition(crd, { ...established, status: 'False' }, 3_000);
  expect(findCondition(crd, 'Established')?.['lastTransitionTime']).toBe('1970-01-01T00:00:03Z');
});

test('a condition that is removed is gone', () => {
  const crd = fooCrd();
  setCondition(crd, established, 0);
  removeCondition(crd, 'Established');
  expect(crd['status']).toMatchObject({ conditions: [] });
});

test.each([
  ['nothing', [], { served: false, established: false, terminating: false }],
  ['names', ['NamesAccepted'], { served: true, established: false, terminating: false }],
  ['established', ['Established'], { served: true, established: true, terminating: false }],
  ['terminating', ['Terminating'], { served: false, established: false, terminating: true }],
])('%s', (_, types, expected) => {
  const conditions = types.map((type) => ({ type, status: 'True' }));
  expect(crdConditions(fooCrd({}, { status: { conditions } }))).toEqual(expected);
});

test('a CRD with a deletion timestamp is terminating', () => {
  const crd = fooCrd({}, { metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' } });
  expect(crdConditions(crd).terminating).toBe(true);
});
