import { describe, expect, test } from 'vitest';
import type { Authorizer } from '../../auth/index.ts';
import { minCompatibilityVersion } from '../../meta/index.ts';
import { RuleEnvironments } from '../../schema/index.ts';
import type { AdmissionRecord } from '../admission-record.ts';
import { widgetKind, widgetResource, writeOf } from '../attributes.test-support.ts';
import { WriteValues } from './evaluator.ts';
import { MatchConditions } from './match-conditions.ts';

const environments = new RuleEnvironments(minCompatibilityVersion, { now: () => 0 });
/** Allows alice, asynchronously. */
const authorizer: Authorizer = {
  authorize: async ({ user, verb }) => ({
    verdict: user.name === 'alice' && verb === 'drop' ? 'allow' : 'deny',
    reason: '',
  }),
};

type Owner = ConstructorParameters<typeof MatchConditions>[1]['owner'];

/** Matches the creation of the widget `a` by alice. */
const match = (...expressions: string[]) => matchOf(expressions).result;

function matchOf(expressions: readonly string[], owner: Partial<Owner> = {}) {
  const records: AdmissionRecord[] = [];
  const matchConditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  const { attributes } = writeOf();
  const { object, oldObject } = attributes;
  const matchedAs = { resource: widgetResource, kind: widgetKind };
  attributes.observe((record) => void records.push(record));
  const whole = { of: 'webhook', name: 'w', phase: 'admit', failsOpen: false, ...owner } as const;
  const conditions = new MatchConditions({ matchConditions }, { environments, owner: whole });
  const request = new WriteValues(attributes, authorizer).as(matchedAs);
  return { result: conditions.match({ request, object, oldObject }), records };
}

const failing = 'object.nothing == 1';
const failure = `expression '${failing}' resulted in error: no such key: nothing`;

describe('conditions', () => {
  test.each<[string[], object]>([
    [[], { matches: true }],
    [['true'], { matches: true }],
    [['true', 'false'], { matches: false }],
    [['object.metadata.name == "a"'], { matches: true }],
    [['oldObject == null'], { matches: true }],
    [['request.operation == "CREATE" && request.namespace == "shop"'], { matches: true }],
    [['request.userInfo.username == "bob"'], { matches: false }],
    [['authorizer.group("x").resource("y").check("drop").allowed()'], { matches: true }],
    [['authorizer.requestResource.check("get").allowed()'], { matches: false }],
    [[failing], { error: failure }],
    [[failing, failing], { error: failure }],
    [[failing, 'false'], { matches: false }],
    [
      [failing, 'object.other == 1'],
      {
        error: `[${failure}, ${failure.replace('object.nothing', 'object.other').replace('key: nothing', 'key: other')}]`,
      },
    ],
  ])('%j', async (expressions, expected) => expect(await match(...expressions)).toEqual(expected));

  test.each([['1'], ['nothing'], ['1 +']])('that do not compile are errors: %j', async (expression) => {
    expect(await match(expression)).toEqual({ error: expect.stringMatching(/^compilation error: /) });
    expect(await match(expression, 'false')).toEqual({ matches: false });
  });

  test('one that costs too much fails alone, several use up the budget of all', async () => {
    const list = `[${Array.from({ length: 100 }, (_, i) => i).join(',')}]`;
    const costly = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
    expect(await match(costly, 'false')).toEqual({ matches: false });
    expect(await match(costly, costly, costly, 'false')).toEqual({
      error: 'validation failed due to running out of cost budget, no further validation rules will be run',
    });
  });
});

describe('what is recorded', () => {
  test.each<[expressions: string[], owner: Partial<Owner>, expected: object]>([
    [['true'], {}, { outcome: 'met', errors: 0, isExcluded: false }],
    [['false'], {}, { outcome: 'not met', errors: 0, isExcluded: true }],
    [['false'], { of: 'policy' }, { outcome: 'not met', errors: 0, isExcluded: false }],
    [[failing, failing], {}, { outcome: 'failed', errors: 2, isExcluded: false }],
    [[failing], { failsOpen: true }, { outcome: 'failed', errors: 1, isExcluded: true }],
    // Errors after the first false condition are not counted.
    [[failing, 'false', failing], {}, { outcome: 'not met', errors: 1, isExcluded: true }],
  ])('%j of %j', async (expressions, owner, expected) => {
    const { result, records } = matchOf(expressions, owner);
    await result;
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ what: 'match conditions', operation: 'CREATE', ...expected });
  });

  test('is nothing where there are no conditions', async () => {
    const { result, records } = matchOf([]);
    await result;
    expect(records).toEqual([]);
  });
});
