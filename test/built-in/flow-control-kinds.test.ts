import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const server = await startServer({ listen: false });
afterAll(() => server.close());

/** What the server says of an object: the causes, or the spec that it stores. */
async function create(kind: 'FlowSchema' | 'PriorityLevelConfiguration', name: string, spec: JsonObject) {
  const body = JSON.stringify({ metadata: { name }, spec });
  const headers = { 'content-type': 'application/json' };
  const path = `${group}/${kind.toLowerCase()}s?dryRun=All`;
  const answer = Object(await (await server.fetch(path, { method: 'POST', headers, body })).json());
  if (answer.status !== 'Failure') return answer.spec;
  return (answer.details?.causes ?? []).map(
    ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
  );
}

const everybody = [{ kind: 'Group', group: { name: '*' } }];
const everything = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  namespaces: ['*'],
  clusterScope: true,
};
const rules = [{ subjects: everybody, resourceRules: [everything] }];
const priorityLevelConfiguration = { name: 'low' };

describe('FlowSchema', () => {
  const schema = (spec: JsonObject, name = 'a') =>
    create('FlowSchema', name, { priorityLevelConfiguration, rules, ...spec });

  test('the precedence has a default', async () => {
    expect(await schema({})).toEqual({ priorityLevelConfiguration, rules, matchingPrecedence: 1000 });
  });

  test.each<[JsonObject, string[]]>([
    [{ matchingPrecedence: -1 }, ['spec.matchingPrecedence: Invalid value: -1: must be a positive value']],
    [
      { matchingPrecedence: 10_001 },
      ['spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'],
    ],
    [
      { matchingPrecedence: 1 },
      [
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      ],
    ],
    [
      { priorityLevelConfiguration: { name: '' } },
      ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
    ],
    [
      { rules: [{ subjects: [], resourceRules: [everything] }] },
      ['spec.rules[0].subjects: Required value: subjects must contain at least one value'],
    ],
    [
      { rules: [{ subjects: everybody }] },
      [
        'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
      ],
    ],
    [
      { rules: [{ subjects: [{ kind: 'Robot' }], resourceRules: [everything] }] },
      [
        'spec.rules[0].subjects[0].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"',
      ],
    ],
    [
      { rules: [{ subjects: [{ kind: 'User', group: { name: 'a' } }], resourceRules: [everything] }] },
      [
        "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
        "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      ],
    ],
    [
      { rules: [{ subjects: everybody, resourceRules: [{ ...everything, verbs: ['*', 'get'] }] }] },
      [
        `spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
      ],
    ],
    [
      {
        rules: [
          { subjects: everybody, resourceRules: [{ ...everything, namespaces: [], clusterScope: false }] },
        ],
      },
      [
        'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      ],
    ],
    [
      {
        rules: [
          {
            subjects: everybody,
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['a', '/b*c', '/d//e'] }],
          },
        ],
      },
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "a": must start with slash',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/b*c": wildcard can only do suffix matching',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/d//e": must not contain double slash',
      ],
    ],
  ])('%#', async (spec, causes) => expect(await schema(spec)).toEqual(causes));

  test('what is mandatory cannot be otherwise', async () => {
    const [cause = ''] = await schema({ matchingPrecedence: 10_000 }, 'catch-all');
    expect(cause).toMatch(/^spec: Invalid value: .*: spec of 'catch-all' must equal the fixed value$/);
  });
});

describe('PriorityLevelConfiguration', () => {
  const level = (spec: JsonObject, name = 'a') => create('PriorityLevelConfiguration', name, spec);
  const queue = (queuing: JsonObject) => ({
    type: 'Limited',
    limited: { limitResponse: { type: 'Queue', queuing } },
  });

  test('queues have defaults', async () => {
    expect(await level(queue({}))).toEqual({
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    });
  });

  test.each<[JsonObject, string[]]>([
    [
      { type: 'Exempt' },
      ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
    ],
    [{ type: 'Limited' }, ['spec.limited: Required value']],
    [{ type: 'Free' }, ['spec.type: Unsupported value: "Free": supported values: "Exempt", "Limited"']],
    [
      { type: 'Limited', limited: { nominalConcurrencyShares: -1, limitResponse: { type: 'Reject' } } },
      ['spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer'],
    ],
    [
      { type: 'Limited', limited: { lendablePercent: 101, limitResponse: { type: 'Reject', queuing: {} } } },
      [
        'spec.limited.limitResponse.queuing: Forbidden',
        'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      ],
    ],
    [
      queue({ queues: 4, handSize: 6 }),
      [
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 6: should not be greater than queues (4)',
      ],
    ],
    [
      queue({ queues: 512, handSize: 8 }),
      [
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 512 and handSize 8 should not be greater than 60',
      ],
    ],
  ])('%#', async (spec, causes) => expect(await level(spec)).toEqual(causes));

  test('of the level exempt, only what it lends is free', async () => {
    const exempt = { nominalConcurrencyShares: 3, lendablePercent: 50 };
    expect(await level({ type: 'Exempt', exempt }, 'exempt')).toEqual({ type: 'Exempt', exempt });
  });
});
