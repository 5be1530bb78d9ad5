import { describe, expect, test } from 'vitest';
import {
  type AuthorizationRequest,
  authorizerVariable,
  CelAuthorizer,
  compile,
  storedExpressions,
} from '../index.ts';

const environment = storedExpressions();

function ask(source: string): { answer: unknown; requests: AuthorizationRequest[]; cost: number } {
  const requests: AuthorizationRequest[] = [];
  const authorizer = new CelAuthorizer((request) => {
    requests.push(request);
    return request.verb === 'get'
      ? { allowed: true, reason: 'role reader' }
      : { allowed: false, reason: '', error: 'no role' };
  });
  const { program } = compile(source, environment, { variables: { authorizer: authorizerVariable } });
  const { value, error, cost } = program.interpret({ authorizer }, 1_000_000);
  return { answer: error?.message ?? value, requests, cost };
}

describe('authorizer checks', () => {
  test('about a resource', () => {
    const source =
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('ns').name('n').check('get').allowed()";
    expect(ask(source)).toEqual({
      answer: true,
      requests: [
        {
          verb: 'get',
          serviceAccount: undefined,
          resource: {
            group: 'apps',
            resource: 'deployments',
            subresource: 'scale',
            namespace: 'ns',
            name: 'n',
            fieldSelector: '',
            labelSelector: '',
          },
        },
      ],
      cost: 350_007,
    });
  });

  test('about a path, for a service account', () => {
    const { answer, requests } = ask(
      "authorizer.serviceAccount('ns', 'bot').path('/healthz').check('post').error()",
    );
    expect(answer).toBe('no role');
    expect(requests).toEqual([
      { verb: 'post', serviceAccount: { namespace: 'ns', name: 'bot' }, path: '/healthz' },
    ]);
  });

  test('the cost of a selector depends on its length', () => {
    const source = "authorizer.group('').resource('pods').labelSelector('a=b').check('get').reason()";
    // 10 for the list, 1 for reading three characters, 2 requirements at 50 each.
    expect(ask(source)).toMatchObject({ answer: 'role reader', cost: 350_000 + 1 + 1 + 1 + 111 + 1 });
  });

  test.each([
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
    ["authorizer.serviceAccount('ns', 'B').path('/').check('get').allowed()", 'Invalid service account name'],
    [
      "authorizer.serviceAccount('n.s', 'b').path('/').check('get').allowed()",
      'Invalid service account namespace',
    ],
  ])('%s', (source, message) => {
    expect(ask(source).answer).toBe(message);
  });
});
