import { describe, expect, test } from 'vitest';
import type { Authorizer } from '../../auth/index.ts';
import { minCompatibilityVersion } from '../../meta/index.ts';
import { RuleEnvironments } from '../../schema/index.ts';
import { widgetKind, widgetResource, writeOf } from '../attributes.test-support.ts';
import { WriteValues } from './evaluator.ts';
import { MatchConditions } from './match-conditions.ts';

const environments = new RuleEnvironments(minCompatibilityVersion, { now: () => 0 });
/** Allows alice, after a moment. */
const authorizer: Authorizer = {
  authorize: async ({ user, verb }) => ({
    verdict: user.name === 'alice' && verb === 'drop' ? 'allow' : 'deny',
    reason: '',
  }),
};

/** Matches the creation of the widget `a` by alice. */
function match(...expressions: string[]) {
  const matchConditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  const { attributes } = writeOf();
  const { object, oldObject } = attributes;
  const matchedAs = { resource: widgetResource, kind: widgetKind };
  const conditions = new MatchConditions({ matchConditions }, { environments });
  const request = new WriteValues(attributes, authorizer).as(matchedAs);
  return conditions.match({ request, object, oldObject });
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
