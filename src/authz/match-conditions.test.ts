import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { AccessConditions } from './match-conditions.ts';

const clock = { now: () => 0 };
const match = (spec: JsonObject, ...sources: string[]) => new AccessConditions(sources, clock).match(spec);
const pods = { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } };

describe('conditions', () => {
  test.each<[JsonObject, string[], boolean]>([
    [pods, [], true],
    [pods, ['true', 'true'], true],
    [pods, ['true', 'false'], false],
    [pods, ['request.resourceAttributes.resource == "pods"'], true],
    [pods, ['request.resourceAttributes.namespace == ""'], true],
    [pods, ['has(request.resourceAttributes)'], true],
    [pods, ['has(request.nonResourceAttributes)'], false],
    [
      { user: 'a', nonResourceAttributes: { path: '/x', verb: 'get' } },
      ['has(request.resourceAttributes)'],
      false,
    ],
    [pods, ['request.groups.size() == 0 && request.uid == ""'], true],
    [{ ...pods, groups: ['dev'] }, ['"dev" in request.groups'], true],
    // One false condition decides, whatever fails before it.
    [pods, ['request.nonResourceAttributes.path == "/"', 'false'], false],
  ])('%j of %j: %s', (spec, sources, expected) => expect(match(spec, ...sources)).toBe(expected));

  test('all failures are listed', () => {
    const source = 'request.nonResourceAttributes.path == "/"';
    const failure = `cel evaluation error: expression '${source}': no such key: nonResourceAttributes`;
    expect(() => match(pods, source, 'true', source)).toThrow(`${failure}, ${failure}`);
  });

  test('evaluation ends when its time is up', () => {
    let now = 0;
    const slow = { now: () => (now += 1_000_000) };
    const list = `[${Array.from({ length: 100 }, (_, i) => i).join(',')}]`;
    const source = `${list}.all(a, ${list}.all(b, a + b >= 0))`;
    expect(() => new AccessConditions([source], slow).match(pods)).toThrow('cel evaluation error');
  });
});

test.each([
  ['request.nothing == ""', /^matchConditions: request\.nothing == "": .*undefined field 'nothing'/s],
  ['"text"', /^matchConditions: "text": /],
  ['1 +', /^matchConditions: 1 \+: .*Syntax error/s],
])('refuses %s', (source, text) => {
  expect(() => new AccessConditions([source], clock)).toThrow(text);
});
