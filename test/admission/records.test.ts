import { afterAll, beforeAll, expect, test } from 'vitest';
import { Widgets } from './widgets.test-support.ts';

let widgets: Widgets;
const logged: string[] = [];
beforeAll(async () => {
  const rules = [
    { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] },
  ];
  widgets = await Widgets.start({
    admissionLog: ({ method, path, text }) => logged.push(`${method} ${path} ${text}`),
  });
  const root = '/apis/admissionregistration.k8s.io/v1';
  const post = async (resource: string, name: string, spec: object) => {
    const { code, body } = await widgets.call('POST', `${root}/${resource}`, { metadata: { name }, spec });
    if (code !== 201) throw new Error(body.message);
  };
  const matchConstraints = { resourceRules: rules };
  await post('validatingadmissionpolicies', 'size', {
    matchConstraints,
    validations: [
      { expression: '!has(object.spec.size) || object.spec.size < 10', message: 'too big' },
      { expression: 'object.spec.color != "none"' },
    ],
  });
  await post('validatingadmissionpolicybindings', 'size', {
    policyName: 'size',
    validationActions: ['Deny'],
  });
  await post('mutatingadmissionpolicies', 'color', {
    matchConstraints,
    reinvocationPolicy: 'Never',
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{spec: Object.spec{color: "red"}}' },
      },
    ],
  });
  await post('mutatingadmissionpolicybindings', 'color', { policyName: 'color' });
  const hook = (name: string, failurePolicy: string) => ({
    name,
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules,
    failurePolicy,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 1,
  });
  await widgets.configure('validating', [hook('open.example.com', 'Ignore')]);
});
afterAll(() => widgets[Symbol.asyncDispose]());

async function samples(...names: string[]): Promise<string[]> {
  const text = await (await widgets.server.fetch('/metrics')).text();
  const lines = text.split('\n').filter((line) => names.some((name) => line.startsWith(`${name}{`)));
  return lines.sort();
}

test("what plugins, webhooks and policies say is counted under upstream's names", async () => {
  expect((await widgets.create('a', { size: 1 })).code).toBe(201);
  expect((await widgets.create('b', { size: 99 })).code).toBe(422);
  const policy = 'policy="size",policy_binding="size"';
  expect(await samples('apiserver_validating_admission_policy_check_total')).toEqual([
    `apiserver_validating_admission_policy_check_total{${policy},error_type="no_error",enforcement_action="allow"} 3`,
    `apiserver_validating_admission_policy_check_total{${policy},error_type="no_error",enforcement_action="deny"} 1`,
  ]);
  expect(await samples('apiserver_mutating_admission_policy_check_total')).toEqual([
    'apiserver_mutating_admission_policy_check_total{policy="color",policy_binding="color",error_type="no_error"} 2',
  ]);
  const webhook = 'name="open.example.com",type="validating"';
  expect(
    await samples('apiserver_admission_webhook_fail_open_count', 'apiserver_admission_webhook_request_total'),
  ).toEqual([
    `apiserver_admission_webhook_fail_open_count{${webhook}} 1`,
    `apiserver_admission_webhook_request_total{${webhook},operation="CREATE",code="503",rejected="false"} 1`,
  ]);
  expect(await samples('apiserver_admission_controller_admission_duration_seconds_count')).toContain(
    'apiserver_admission_controller_admission_duration_seconds_count{name="ValidatingAdmissionPolicy",type="validate",operation="CREATE",rejected="true"} 1',
  );
  expect(await samples('apiserver_admission_step_admission_duration_seconds_count')).toContain(
    'apiserver_admission_step_admission_duration_seconds_count{type="validate",operation="CREATE",rejected="true"} 1',
  );
});

test('a dry run explains what admission did; a write does not', async () => {
  const shown = async (query: string, spec: object) => {
    const { warnings } = await widgets.create('c', spec, query);
    return warnings.map((warning) => warning.replace(/ in [\d.]+ ms/, ''));
  };
  const explained = await shown('?dryRun=All&explain=admission', { size: 99 });
  expect(explained).toEqual(
    expect.arrayContaining([
      'admission: admit: plugin NamespaceLifecycle: allowed',
      'admission: mutating policy color with binding color: allow',
      'admission: validating policy size with binding size: deny: too big',
      'admission: validate: plugin ValidatingAdmissionPolicy: rejected',
      'admission: validate: rejected',
    ]),
  );
  expect(await shown('?explain=admission', { size: 1 })).toEqual([]);
});

test('a log gets every write, and adds no warnings', async () => {
  logged.length = 0;
  const { code, warnings } = await widgets.create('d', { size: 99 });
  expect([code, warnings]).toEqual([422, []]);
  const path = 'POST /apis/example.com/v1/namespaces/default/widgets admission:';
  expect(logged.map((line) => line.replace(/ in [\d.]+ ms/, ''))).toEqual([
    `${path} admit: plugin NamespaceLifecycle: allowed`,
    `${path} mutating policy color with binding color: allow`,
    `${path} admit: plugin MutatingAdmissionPolicy: allowed`,
    // Once more, as the policy changed the object; it does not want to be asked again.
    `${path} admit: plugin MutatingAdmissionPolicy: allowed`,
    `${path} admit: allowed`,
    `${path} validating policy size with binding size: allow`,
    `${path} validating policy size with binding size: deny: too big`,
    `${path} validate: plugin ValidatingAdmissionPolicy: rejected`,
    `${path} validate: rejected`,
  ]);
});
