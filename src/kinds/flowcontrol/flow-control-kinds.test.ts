import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { createErrors } from '../strategy/check-kind.test-support.ts';
import { flowSchemaKind } from './flow-schema.ts';
import { priorityLevelConfigurationKind } from './priority-level-configuration.ts';

describe('a PriorityLevelConfiguration', () => {
  const queue = (queuing: JsonObject) => ({
    type: 'Limited',
    limited: { limitResponse: { type: 'Queue', queuing } },
  });
  const limited = 'spec.limited';
  test.each<[JsonObject, string[]]>([
    [queue({ queues: 4, handSize: 2 }), []],
    [{ type: 'Other' }, ['spec.type: Unsupported value: "Other": supported values: "Exempt", "Limited"']],
    [
      { type: 'Exempt' },
      [`spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if \`name\` is 'exempt'`],
    ],
    [{ type: 'Limited' }, [`${limited}: Required value`]],
    [
      queue({ queues: 4, handSize: 5 }),
      [`${limited}.limitResponse.queuing.handSize: Invalid value: 5: should not be greater than queues (4)`],
    ],
    [
      queue({ queues: 10_000_001, handSize: 1 }),
      [`${limited}.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000`],
    ],
    [
      queue({ queues: 512, handSize: 10 }),
      [
        `${limited}.limitResponse.queuing.handSize: Invalid value: 10: required entropy bits of deckSize 512 and handSize 10 should not be greater than 60`,
      ],
    ],
    [
      { type: 'Limited', limited: { lendablePercent: 101, limitResponse: { type: 'Reject', queuing: {} } } },
      [
        `${limited}.limitResponse.queuing: Forbidden`,
        `${limited}.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive`,
      ],
    ],
  ])('%j', (spec, errors) => {
    expect(createErrors(priorityLevelConfigurationKind, { spec })).toEqual(errors);
  });
});

describe('a FlowSchema', () => {
  const level = { priorityLevelConfiguration: { name: 'a' } };
  const subject = { kind: 'User', user: { name: 'alice' } };
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
  const ruled = (subjects: JsonObject[], more: JsonObject = { resourceRules: [rule] }) => ({
    ...level,
    rules: [{ subjects, ...more }],
  });
  const at = 'spec.rules[0]';
  test.each<[JsonObject, string[]]>([
    [ruled([subject]), []],
    [
      { matchingPrecedence: 1 },
      [
        `spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1`,
        'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
      ],
    ],
    [
      { ...level, matchingPrecedence: 10_001 },
      ['spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'],
    ],
    [
      ruled([], {}),
      [
        `${at}.subjects: Required value: subjects must contain at least one value`,
        `${at}: Required value: at least one of resourceRules and nonResourceRules has to be non-empty`,
      ],
    ],
    [
      ruled([{ kind: 'User', group: { name: 'g' } }]),
      [
        `${at}.subjects[0].user: Required value: user is required when subject kind is 'User'`,
        `${at}.subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'`,
      ],
    ],
    [
      ruled([subject], { resourceRules: [{ ...rule, verbs: ['*', 'get'], namespaces: [] }] }),
      [
        `${at}.resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
        `${at}.resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace`,
      ],
    ],
    ...(
      [
        ['x', 'must start with slash'],
        ['/a b', 'must not contain white-space'],
        ['/a//b', 'must not contain double slash'],
        ['/a*', 'wildcard can only do suffix matching'],
        ['/*/*', 'wildcard can only do suffix matching'],
      ] as const
    ).map(([url, why]): [JsonObject, string[]] => [
      ruled([subject], { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/', '/a/*', url] }] }),
      [`${at}.nonResourceRules[0].nonResourceURLs[2]: Invalid value: ${JSON.stringify(url)}: ${why}`],
    ]),
  ])('%j', (spec, errors) => expect(createErrors(flowSchemaKind, { spec })).toEqual(errors));
});
