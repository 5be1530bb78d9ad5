import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ listen: false });
});
afterAll(() => server.close());

const root = '/apis/admissionregistration.k8s.io/v1';

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await server.fetch(`${root}/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    code: response.status,
    warning: response.headers.get('warning'),
    body: JSON.parse(await response.text()),
  };
}

const hook = {
  name: 'a.example.com',
  clientConfig: { service: { namespace: 'default', name: 'hooks' } },
  rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['widgets'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const configuration = (name: string, webhooks: unknown[]) => ({ metadata: { name }, webhooks });

test("a configuration of webhooks gets upstream's defaults", async () => {
  const { code, body } = await call('POST', 'mutatingwebhookconfigurations', configuration('a', [hook]));
  expect(code).toBe(201);
  expect(body.metadata.generation).toBe(1);
  expect(body.webhooks).toEqual([
    {
      name: 'a.example.com',
      clientConfig: { service: { namespace: 'default', name: 'hooks', port: 443 } },
      rules: [
        {
          operations: ['CREATE'],
          apiGroups: ['example.com'],
          apiVersions: ['*'],
          resources: ['widgets'],
          scope: '*',
        },
      ],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      sideEffects: 'None',
      timeoutSeconds: 10,
      admissionReviewVersions: ['v1'],
      reinvocationPolicy: 'Never',
    },
  ]);
});

test.each<[string, object, string]>([
  [
    'a short name',
    { name: 'a.b' },
    'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
  ],
  [
    'no side effects',
    { sideEffects: undefined },
    'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
  ],
  [
    'a long timeout',
    { timeoutSeconds: 31 },
    'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
  ],
  [
    'no address',
    { clientConfig: {} },
    'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
  ],
  [
    'plain http',
    { clientConfig: { url: 'http://x/y' } },
    `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
  ],
  [
    'an unknown review version',
    { admissionReviewVersions: ['v2'] },
    'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
  ],
  [
    'two wildcards',
    {
      rules: [{ operations: ['*', 'CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*', 'a'] }],
    },
    `[webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations, webhooks[0].rules[0].resources: Invalid value: ["*/*","a"]: if '*/*' is present, must not specify other resources]`,
  ],
  [
    'a condition of another type',
    { matchConditions: [{ name: 'c', expression: 'object.spec' }] },
    'webhooks[0].matchConditions[0].expression: Invalid value: "object.spec": must evaluate to bool but got dyn',
  ],
  [
    'a condition that does not compile',
    { matchConditions: [{ name: 'c', expression: 'params.a' }] },
    `webhooks[0].matchConditions[0].expression: Invalid value: "params.a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.a\n | ^`,
  ],
])('a webhook is refused with %s', async (_, change, text) => {
  const { code, body } = await call(
    'POST',
    'validatingwebhookconfigurations',
    configuration('wrong', [{ ...hook, ...change }]),
  );
  expect(code).toBe(422);
  expect(body.message).toBe(
    `ValidatingWebhookConfiguration.admissionregistration.k8s.io "wrong" is invalid: ${text}`,
  );
});

test('generations count the changes of webhooks, and a PUT must name the resourceVersion', async () => {
  const created = (await call('POST', 'validatingwebhookconfigurations', configuration('g', [hook]))).body;
  const labelled = { ...created, metadata: { ...created.metadata, labels: { a: 'b' } } };
  const same = (await call('PUT', 'validatingwebhookconfigurations/g', labelled)).body;
  expect(same.metadata.generation).toBe(1);
  const changed = { ...same, webhooks: [{ ...same.webhooks[0], timeoutSeconds: 3 }] };
  expect((await call('PUT', 'validatingwebhookconfigurations/g', changed)).body.metadata.generation).toBe(2);
  const { resourceVersion: _, ...rest } = changed.metadata;
  expect((await call('PUT', 'validatingwebhookconfigurations/g', { ...changed, metadata: rest })).code).toBe(
    422,
  );
});

const policy = (name: string, spec: object) => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [
        { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] },
      ],
    },
    validations: [{ expression: 'object.spec.size < 10' }],
    ...spec,
  },
});

test('a policy gets its defaults and a status of its own', async () => {
  const { code, body } = await call('POST', 'validatingadmissionpolicies', policy('p.example.com', {}));
  expect(code).toBe(201);
  expect(body.spec).toEqual({
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [
        {
          apiGroups: ['example.com'],
          apiVersions: ['v1'],
          operations: ['CREATE'],
          resources: ['widgets'],
          scope: '*',
        },
      ],
    },
    validations: [{ expression: 'object.spec.size < 10' }],
  });
  expect(body.status).toEqual({});
});

test.each<[string, object, string]>([
  [
    'nothing to validate',
    { validations: [] },
    '[spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]',
  ],
  [
    'a variable that is not one',
    { variables: [{ name: 'if', expression: '1' }] },
    'spec.variables[0].name: Invalid value: "if": must be a valid CEL identifier',
  ],
  [
    'a use of a variable before it is there',
    {
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: '1' },
      ],
    },
    `spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field 'b'\n | variables.b\n | .........^`,
  ],
  [
    'a message of another type',
    { validations: [{ expression: 'true', messageExpression: '1' }] },
    'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
  ],
  [
    'an annotation of another type',
    { auditAnnotations: [{ key: 'k', valueExpression: 'true' }] },
    'spec.auditAnnotations[0].valueExpression: Invalid value: "true": must evaluate to one of [string null_type] but got bool',
  ],
  [
    'a kind of parameters that is none',
    { paramKind: { apiVersion: 'a/b/c', kind: 'X y' } },
    `[spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c, spec.paramKind.kind: Invalid value: "X y": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')]`,
  ],
])('a policy is refused with %s', async (_, spec, text) => {
  const { code, body } = await call('POST', 'validatingadmissionpolicies', policy('wrong', spec));
  expect(code).toBe(422);
  expect(body.message).toBe(
    `ValidatingAdmissionPolicy.admissionregistration.k8s.io "wrong" is invalid: ${text}`,
  );
});

test('an expression may use parameters and variables, and types of what it declared', async () => {
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    variables: [
      { name: 'max', expression: 'int(params.data.max)' },
      { name: 'user', expression: 'request.userInfo' },
    ],
    validations: [
      {
        expression: 'object.spec.size < variables.max && variables.user.username != ""',
        messageExpression: '"at most " + string(variables.max)',
      },
      {
        expression:
          "authorizer.requestResource.check('approve').allowed() && namespaceObject.metadata.name != 'x'",
      },
    ],
  };
  expect((await call('POST', 'validatingadmissionpolicies', policy('q', spec))).body).toMatchObject({ spec });
});

test('a binding must say what becomes of a denial', async () => {
  const binding = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny', 'Warn'] } };
  const { body } = await call('POST', 'validatingadmissionpolicybindings', binding);
  expect(body.message).toBe(
    'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "b" is invalid: spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
  );
});

test("tables show upstream's columns", async () => {
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const columns = async (resource: string) => {
    const { body } = await call('GET', resource, undefined, accept);
    return body.columnDefinitions.map(({ name }: { name: string }) => name);
  };
  expect(await columns('validatingwebhookconfigurations')).toEqual(['Name', 'Webhooks', 'Age']);
  expect(await columns('validatingadmissionpolicies')).toEqual(['Name', 'Validations', 'ParamKind', 'Age']);
  expect(await columns('validatingadmissionpolicybindings')).toEqual([
    'Name',
    'PolicyName',
    'ParamRef',
    'Age',
  ]);
});

const mutating = (name: string, spec: object) => ({
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [hook.rules[0]] },
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    ...spec,
  },
});

test('a mutating policy fails closed and has no status', async () => {
  const { code, body } = await call('POST', 'mutatingadmissionpolicies', mutating('m', {}));
  expect(code).toBe(201);
  expect([body.spec.failurePolicy, body.metadata.generation, body.status]).toEqual(['Fail', 1, undefined]);
});

test.each([
  [{ mutations: [] }, 'spec.mutations: Required value: mutations must contain at least one item'],
  [{ reinvocationPolicy: '' }, 'spec.reinvocationPolicy: Required value'],
  [
    { reinvocationPolicy: 'Often' },
    'spec.reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"',
  ],
  [{ mutations: [{}] }, 'spec.mutations[0].patchType: Required value'],
  [
    { mutations: [{ patchType: 'Merge' }] },
    'spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"',
  ],
  [
    { mutations: [{ patchType: 'JSONPatch' }] },
    'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
  ],
  [
    {
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{}' },
          jsonPatch: { expression: '[JSONPatch{op: "test"}]' },
        },
      ],
    },
    'spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
  ],
  [
    { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: ' ' } }] },
    'spec.mutations[0].jsonPatch.expression: Required value',
  ],
  [
    { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '1' } }] },
    'spec.mutations[0].jsonPatch.expression: Invalid value: "1": must evaluate to list(JSONPatch) but got int',
  ],
  [
    { matchConstraints: { resourceRules: [{ ...hook.rules[0], operations: ['CREATE', 'DELETE'] }] } },
    'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
  ],
])('a mutating policy is refused: %j', async (spec, text) => {
  const { code, body } = await call('POST', 'mutatingadmissionpolicies', mutating('wrong', spec));
  expect([code, body.message]).toEqual([
    422,
    `MutatingAdmissionPolicy.admissionregistration.k8s.io "wrong" is invalid: ${text}`,
  ]);
});

test('an expression outside of mutations knows no patches', async () => {
  const variables = [{ name: 'v', expression: 'Object{}' }];
  const { body } = await call('POST', 'mutatingadmissionpolicies', mutating('wrong', { variables }));
  expect(body.message).toContain("undeclared reference to 'Object'");
});
