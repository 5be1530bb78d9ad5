import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../testing/index.ts';
import type { PlaygroundResult } from './playground-result.ts';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ listen: false, console: true });
});
afterAll(() => server?.close());

interface Answer extends PlaygroundResult {
  readonly code?: number;
  readonly message?: string;
}

async function run(body: object | string, path = '/ilk/v1/playground'): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(path, { method: 'POST', headers, body: text });
  return (await response.json()) as Answer;
}

const schema = `
type: object
properties:
  spec:
    type: object
    properties:
      replicas: {type: integer, default: 1}
      ports:
        type: array
        maxItems: 10
        items:
          type: object
          properties: {port: {type: integer}}
          x-kubernetes-validations:
          - rule: self.port > 0
            messageExpression: "self.port == 0 ? 'zero' : 'below zero'"
    x-kubernetes-validations:
    - {rule: self.replicas <= 5, message: at most 5}
    - {rule: self.replicas >= oldSelf.replicas}
`;

describe('a plain schema', () => {
  test('accepts an object without a kind, with defaults', async () => {
    const result = await run({ definition: schema, object: 'spec: {}' });
    expect(result).toMatchObject({ outcome: 'accepted', operation: 'CREATE', problems: [], warnings: [] });
    expect(result.object).toMatchObject({
      apiVersion: 'playground.example.com/v1',
      kind: 'Example',
      spec: { replicas: 1 },
    });
  });

  test('refuses an invalid one with the message of the server, with lines, values and costs', async () => {
    const object = 'spec:\n  replicas: 7\n  ports:\n  - {port: 1}\n  - {port: -1}\n';
    const result = await run({ definition: schema, object });
    expect(result.outcome).toBe('refused');
    expect(result.status?.message).toBe(
      'Example.playground.example.com "playground" is invalid: [spec: Invalid value: at most 5, spec.ports[1]: Invalid value: below zero]',
    );
    expect(result.problems).toEqual([
      { document: 'object', line: 1, field: 'spec', message: 'spec: Invalid value: at most 5' },
      {
        document: 'object',
        line: 5,
        field: 'spec.ports[1]',
        message: 'spec.ports[1]: Invalid value: below zero',
      },
    ]);
    const [ports, message, most, transition] = [
      'self.port > 0',
      "self.port == 0 ? 'zero' : 'below zero'",
      'self.replicas <= 5',
      'self.replicas >= oldSelf.replicas',
    ].map((source) => result.expressions.find((one) => one.source === source));
    expect(ports).toMatchObject({
      document: 'definition',
      line: 15,
      estimate: { cost: '30', limit: '10000000' },
      evaluations: [
        { path: 'spec.ports[0]', value: 'true', cost: 3 },
        { path: 'spec.ports[1]', value: 'false', cost: 3 },
      ],
    });
    expect(message?.evaluations).toMatchObject([{ path: 'spec.ports[1]', value: '"below zero"' }]);
    expect(most?.evaluations[0]?.trace).toMatchObject({
      text: 'self.replicas <= 5',
      value: 'false',
      children: [{ text: 'self.replicas', value: '7', children: [{ text: 'self' }] }],
    });
    // There is no old object to compare with.
    expect(transition?.evaluations).toEqual([]);
    expect(result.costs.runtime.cost).toBeGreaterThan(9);
  });

  test('compares with the old object', async () => {
    const result = await run({
      definition: schema,
      object: 'spec: {replicas: 1}',
      oldObject: 'spec: {replicas: 2}',
    });
    expect(result).toMatchObject({ outcome: 'refused', operation: 'UPDATE' });
    expect(result.status?.message).toBe(
      'Example.playground.example.com "playground" is invalid: spec: Invalid value: failed rule: self.replicas >= oldSelf.replicas',
    );
  });

  test('is itself refused, at the invalid field', async () => {
    const definition = schema.replace('self.port > 0', 'self.prt > 0');
    const result = await run({ definition, object: 'spec: {}' });
    expect(result.outcome).toBe('unusable');
    expect(result.problems).toHaveLength(1);
    expect(result.problems[0]).toMatchObject({ document: 'definition', line: 15 });
    expect(result.problems[0]?.message).toContain("undefined field 'prt'");
  });

  test('above the cost limit reports by how much', async () => {
    const rule = "self.ports.all(p, self.ports.all(q, self.names.all(n, n.contains('xxxxxxxxxx'))))";
    const definition = schema
      .replace('      replicas:', '      names: {type: array, items: {type: string}}\n      replicas:')
      .replace('self.replicas <= 5', JSON.stringify(rule));
    const result = await run({ definition, object: 'spec: {}' });
    expect(result.problems[0]?.message).toContain(
      'estimated rule cost exceeds budget by factor of more than 100x',
    );
    const site = result.expressions.find(({ source }) => source === rule);
    expect(Number(site?.estimate?.cost)).toBeGreaterThan(1e9);
  });
});

const policies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: most}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE, DELETE], resources: [deployments]}
  variables:
  - {name: most, expression: int(params.data.most)}
  validations:
  - expression: request.operation == 'DELETE' || object.spec.replicas <= variables.most
    messageExpression: "'at most ' + string(variables.most) + ' for ' + request.userInfo.username"
  - expression: request.operation != 'DELETE'
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: most}
spec:
  policyName: most
  paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {env: production}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: default}
data: {most: '3'}
`;
const deployment = (replicas: number) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;
const production = { env: 'production' };

describe('a policy', () => {
  test('denies with the message of the server, with variables, parameters and users', async () => {
    const result = await run({
      policies,
      object: deployment(4),
      namespaceLabels: production,
      user: 'alice',
      groups: ['dev'],
    });
    expect(result.status?.message).toBe(
      `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'most' with binding 'most' denied request: at most 3 for alice`,
    );
    const [variable, validation] = result.expressions;
    expect(variable).toMatchObject({
      field: 'spec.variables[0].expression',
      line: 11,
      owner: 'ValidatingAdmissionPolicy most',
      evaluations: [{ params: 'default/limits', value: '3' }],
    });
    expect(validation).toMatchObject({
      field: 'spec.validations[0].expression',
      evaluations: [{ value: 'false' }],
    });
  });

  test('allows other objects, and those that its binding does not select', async () => {
    expect(await run({ policies, object: deployment(3), namespaceLabels: production })).toMatchObject({
      outcome: 'accepted',
    });
    const elsewhere = await run({ policies, object: deployment(9) });
    expect(elsewhere.outcome).toBe('accepted');
    expect(elsewhere.expressions.flatMap(({ evaluations }) => evaluations)).toEqual([]);
  });

  test('sees deletions', async () => {
    const result = await run({ policies, oldObject: deployment(1), namespaceLabels: production });
    expect(result).toMatchObject({ operation: 'DELETE', outcome: 'refused' });
    expect(result.status?.message).toContain("failed expression: request.operation != 'DELETE'");
  });

  test('mutates the object', async () => {
    const mutating = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: mark}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'by': request.userInfo.username}}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: mark}
spec: {policyName: mark}
`;
    const object =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {big: "12345678901234567890"}\n';
    const result = await run({ policies: mutating, object });
    expect(result.problems).toEqual([]);
    expect(result.object).toMatchObject({ metadata: { labels: { by: 'admin' } } });
    expect(result.expressions[0]).toMatchObject({
      source: expect.stringContaining('Object{'),
      evaluations: [{}],
    });
  });

  test('that does not compile is refused with its position', async () => {
    const result = await run({
      policies: policies.replace('object.spec', 'objct.spec'),
      object: deployment(1),
    });
    expect(result.outcome).toBe('unusable');
    expect(result.problems[0]).toMatchObject({ document: 'policies', line: 13 });
    expect(result.problems[0]?.message).toContain("undeclared reference to 'objct'");
  });
});

test('the same messages as a server with the definition', async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  required: ['size'],
                  properties: {
                    size: { type: 'integer', maximum: 9 },
                    name: { type: 'string', pattern: '^a' },
                  },
                  'x-kubernetes-validations': [{ rule: "self.name != 'ab'" }, { rule: 'self.size / 0 == 1' }],
                },
              },
            },
          },
        },
      ],
    },
  };
  const real = await startServer({ listen: false, crds: [crd] });
  const specs = [
    {},
    { size: 10, name: 'b' },
    { size: 1, name: 'ab' },
    { size: 1, nme: 'a' },
    { size: 1, name: 'x'.repeat(300) },
  ];
  for (const spec of specs) {
    const object = { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'a' }, spec };
    const response = await real.fetch(
      '/apis/example.com/v1/namespaces/default/boxes?dryRun=All&fieldValidation=Strict',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) },
    );
    const said = (await response.json()) as object;
    const { status } = await run({ definition: JSON.stringify(crd), object: JSON.stringify(object) });
    expect(status).toEqual(said);
  }
  await real.close();
});

describe('a hostile case', () => {
  test.each<[string, object | string, string]>([
    ['no JSON', '{', 'the case is not JSON: '],
    ['no object', '[]', 'a case is a JSON object'],
    ['an unknown field', { rule: '' }, 'unknown field "rule"'],
    ['a text that is none', { object: {} }, 'object: must be a text in YAML or JSON'],
    ['groups without a user', { groups: ['system:masters'] }, 'groups: must not be set without user'],
    ['labels that are none', { namespaceLabels: { a: 1 } }, 'namespaceLabels: must be an object of texts'],
  ])('is refused: %s', async (_, body, message) => {
    const answer = await run(body);
    expect(answer.code).toBe(400);
    expect(answer.message).toContain(message);
  });

  test('is refused if it is too large', async () => {
    expect(await run({ object: `a: ${'x'.repeat(1024 * 1024)}` })).toMatchObject({ code: 413 });
  });

  test.each<[string, object, string]>([
    ['no YAML', { object: 'a: [' }, 'object'],
    ['nothing to write', { definition: schema }, 'object'],
    ['two objects', { object: 'a: 1\n---\nb: 1' }, 'object'],
    ['a definition that is none', { definition: 'kind: Pod', object: 'a: 1' }, 'definition'],
    ['an unknown kind', { object: 'apiVersion: x/v1\nkind: Y\nmetadata: {name: a}' }, 'object'],
    ['deep nesting', { object: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }, 'object'],
    [
      'an alias bomb',
      {
        object: `a: &a [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_x, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`,
      },
      'object',
    ],
  ])('is refused with a reason: %s', async (_, body, document) => {
    const result = await run(body);
    expect(result.outcome).toBe('unusable');
    expect(result.problems[0]).toMatchObject({
      document,
      line: expect.any(Number),
      message: expect.any(String),
    });
  });

  test('keeps its odd keys, within the cost limits', async () => {
    const definition = `
type: object
x-kubernetes-preserve-unknown-fields: true
properties:
  list: {type: array, maxItems: 1000, items: {type: integer}}
x-kubernetes-validations:
- rule: "!has(self.list) || self.list.all(a, self.list.all(b, a + b >= 0))"
`;
    const list = Array.from({ length: 1_000 }, (_, index) => index);
    const object = `{"__proto__": {"constructor": 1}, "list": ${JSON.stringify(list)}}`;
    const result = await run({ definition, object });
    expect(result.status?.message).toContain('actual cost limit exceeded');
    const [rule] = result.expressions;
    expect(rule?.evaluations[0]?.error).toBe('operation cancelled: actual cost limit exceeded');
    expect(rule?.evaluations[0]?.traceLeftOut).toBeGreaterThan(1_000);
    const small = await run({ definition, object: '{"__proto__": {"constructor": 1}}' });
    expect(JSON.stringify(small.object)).toContain('"__proto__":{"constructor":1}');
  });

  test('is refused without access to the path', async () => {
    const nobody = server.as({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
    const response = await nobody.fetch('/ilk/v1/playground', { method: 'POST', body: '{}' });
    expect([401, 403]).toContain(response.status);
    const alice = server.as({ name: 'alice', groups: ['system:authenticated'] });
    const allowed = await alice.fetch('/ilk/v1/playground', { method: 'POST', body: '{"object":"a: ["}' });
    expect(allowed.status).toBe(200);
    expect((await server.fetch('/ilk/v1/playground')).status).toBe(405);
  });
});

describe('the objects that a definition refuses', () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'pots.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'pots', kind: 'Pot' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: {} } }],
    },
  };
  const definition = JSON.stringify(crd).replace(
    '"openAPIV3Schema":{}',
    '"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer","maximum":5}}}}}',
  );
  const pot = (name: string, size: string) =>
    `{"apiVersion":"example.com/v1","kind":"Pot","metadata":{"name":"${name}","namespace":"n","uid":"u","resourceVersion":"7"},"spec":{"size":${size}}}`;
  const check = (body: object | string) => run(body, '/ilk/v1/playground/objects');

  test('are named with their errors; a list counts as what it holds', async () => {
    const items = [pot('a', '1'), pot('b', '"x"'), pot('c', '9223372036854775807')];
    const objects = `{"kind":"PotList","items":[${items}]}`;
    expect(await check({ definition, objects })).toMatchObject({
      kind: 'ObjectsResult',
      checked: 3,
      problems: [],
      refused: [
        {
          kind: 'Pot',
          namespace: 'n',
          name: 'b',
          errors: [
            {
              field: 'spec.size',
              message:
                'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
            },
          ],
        },
        { name: 'c', errors: [{ field: 'spec.size' }] },
      ],
    });
  });

  test('of a version that is gone are refused as well', async () => {
    const objects = pot('a', '1').replace('example.com/v1', 'example.com/v0');
    const { refused } = (await check({ definition, objects })) as { refused?: unknown };
    expect(refused).toMatchObject([
      { errors: [{ message: 'no matches for kind "Pot" in version "example.com/v0"' }] },
    ]);
  });

  test('cannot be told by what is no definition, or a wrong one', async () => {
    expect(await check({ definition: 'kind: Pod', objects: '' })).toMatchObject({
      checked: 0,
      problems: [{ document: 'definition', message: 'there is no definition in it' }],
    });
    expect(await check({ definition: definition.replace('Namespaced', 'None'), objects: '' })).toMatchObject({
      checked: 0,
      problems: [{ document: 'definition', field: 'spec.scope' }],
    });
    expect(await check({ definition, objects: '{' })).toMatchObject({ problems: [{ document: 'objects' }] });
    expect(await check({ definition })).toMatchObject({ code: 400 });
    expect(await check({ definition, objects: '', other: 1 })).toMatchObject({ code: 400 });
  });
});
