import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { plain } from '../paint.ts';
import { policyTestFormats } from './formats.ts';
import { missingFrom } from './missing-from.ts';
import { runPolicyTests } from './run-policy-tests.ts';

const examples = fileURLToPath(new URL('../../../examples/policies', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'ilk-policy-test-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A folder with the policies of the examples and other cases. */
function folder(name: string, cases: string, more = ''): string {
  const path = join(root, name);
  cpSync(examples, path, { recursive: true });
  writeFileSync(join(path, 'cases.yaml'), `apiVersion: ilk/v1\nkind: PolicyTest\ncases:\n${cases}`);
  if (more !== '') writeFileSync(join(path, 'more.yaml'), more);
  return path;
}

async function report(path: string, format = 'text'): Promise<string> {
  const ran = await runPolicyTests({ paths: [path], crds: [], policies: [], featureGates: undefined });
  const text = policyTestFormats.get(format)?.(ran, plain) ?? '';
  return text.replaceAll(`${examples}/`, '').replaceAll(`${root}/`, '');
}

test('the example: old objects, users, labels of namespaces, parameters, mutations', async () => {
  expect(await report(examples)).toBe(`cases.yaml:5: ok: five replicas fit in production
cases.yaml:13: ok: six replicas do not
cases.yaml:17: ok: six replicas fit elsewhere
cases.yaml:21: ok: admins may
cases.yaml:27: ok: colors change with a warning
cases.yaml:35: ok: blue widgets are not deleted
6 cases: 6 passed, 0 failed, 0 errors
`);
});

const widget = (spec: string, name = 'a') =>
  `{apiVersion: example.com/v1, kind: Widget, metadata: {name: ${name}, namespace: shop}, spec: ${spec}}`;

const failing = `- name: denied after all
  object: widgets/six.yaml
  namespaceLabels: {env: production}
  expect: {verdict: allow}
- name: nobody denies
  object: widgets/six.yaml
  expect: {verdict: deny}
- name: another message
  object: widgets/six.yaml
  namespaceLabels: {env: production}
  expect: {verdict: deny, message: at most 7}
- name: another owner
  object: ${widget('{replicas: 1}')}
  user: alice
  expect: {verdict: allow, object: {metadata: {labels: {owner: bob}}}}
- name: not the schema's refusals
  object: ${widget('{replicas: -1}')}
  expect: {verdict: deny}
- name: a typing error
  object: ${widget('{replicsa: 1}')}
  expect: {verdict: deny}
- name: warned
  oldObject: ${widget('{replicas: 1, color: red}')}
  object: ${widget('{replicas: 1, color: blue}')}
  expect: {verdict: allow}
- name: no such kind
  object: {apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}}
  expect: {verdict: allow}
- name: fine
  object: ${widget('{replicas: 1}')}
  expect: {verdict: allow}
`;
const at = 'failing/cases.yaml';
const most5 =
  `widgets.example.com "a" is forbidden: ValidatingAdmissionPolicy 'replicas.example.com' with binding ` +
  `'replicas-production.example.com' denied request: at most 5 replicas`;

test('what fails says what came instead', async () => {
  const path = folder('failing', failing);
  expect(await report(path)).toBe(`${at}:4: FAILED: denied after all: expected allow, got deny: ${most5}
${at}:8: FAILED: nobody denies: expected deny, got allow
${at}:11: FAILED: another message: expected the message "at most 7", got ${JSON.stringify(most5)}
${at}:15: FAILED: another owner: metadata.labels.owner: expected "bob", got "alice"
${at}:19: FAILED: not the schema's refusals: refused, but not by a policy: Widget.example.com "a" is invalid: spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0
${at}:22: FAILED: a typing error: refused, but not by a policy: Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.replicsa"
${at}:25: FAILED: warned: expected allow, got warn: Validation failed for ValidatingAdmissionPolicy 'color.example.com' with binding 'color.example.com': the color changes
${at}:29: FAILED: no such kind: no matches for kind "Gadget" in version "example.com/v1"
${at}:32: ok: fine
9 cases: 1 passed, 8 failed, 0 errors
`);
});

const two = `- name: six & more
  object: widgets/six.yaml
  expect: {verdict: deny}
- name: one
  object: ${widget('{replicas: 1}')}
  expect: {verdict: allow}
`;

test('as JSON, JUnit, annotations', async () => {
  const path = folder('two', two);
  expect(JSON.parse(await report(path, 'json'))).toEqual({
    cases: [
      {
        file: 'two/cases.yaml',
        line: 4,
        name: 'six & more',
        status: 'failed',
        message: 'expected deny, got allow',
      },
      { file: 'two/cases.yaml', line: 7, name: 'one', status: 'passed' },
    ],
    errors: [],
    summary: { passed: 1, failed: 1, errors: 0 },
  });
  expect(await report(path, 'junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1" errors="0" skipped="0">
  <testsuite name="two/cases.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="six &amp; more" classname="PolicyTest"><failure message="two/cases.yaml:4: expected deny, got allow"/></testcase>
    <testcase name="one" classname="PolicyTest"/>
  </testsuite>
</testsuites>
`);
  expect(await report(path, 'github')).toBe(
    '::error file=two/cases.yaml,line=4,title=six & more::expected deny, got allow\n',
  );
});

test('a policy that a server refuses is an error beside the cases', async () => {
  const broken = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: broken}
spec: {validationActions: [Deny]}
`;
  const fine = `- name: one
  object: ${widget('{replicas: 1}')}
  expect: {verdict: allow}
`;
  expect(
    await report(folder('broken', fine, broken)),
  ).toBe(`broken/more.yaml:4: ERROR: ValidatingAdmissionPolicyBinding broken: spec.policyName: Required value
broken/cases.yaml:4: ok: one
1 case: 1 passed, 0 failed, 1 errors
`);
});

test.each([
  ['- {object: widgets/six.yaml, expect: {verdict: deny}}', '4: name: must be set'],
  ['- {name: a, objekt: {}, expect: {verdict: deny}}', '4: unknown field "objekt"'],
  ['- {name: a, __proto__: {}, expect: {verdict: deny}}', '4: unknown field "__proto__"'],
  [
    '- name: a\n  object: widgets/six.yaml\n  expect: {verdict: no}',
    '6: expect.verdict: must be one of allow, deny, warn',
  ],
  ['- {name: a, object: widgets/six.yaml, expect: {verdict: deny, mesage: x}}', '4: unknown field "mesage"'],
  ['- {name: a, object: none.yaml, expect: {verdict: deny}}', '4: object: none.yaml cannot be read'],
  [
    '- {name: a, object: policies.yaml, expect: {verdict: deny}}',
    '4: object: policies.yaml holds 9 objects, must be one',
  ],
  ['- {name: a, object: 7, expect: {verdict: deny}}', '4: object: must be an object or the name of a file'],
  [
    '- {name: a, operation: CONNECT, object: widgets/six.yaml, expect: {verdict: deny}}',
    '4: operation: must be one of CREATE, UPDATE, DELETE',
  ],
  [
    '- {name: a, operation: UPDATE, object: widgets/six.yaml, expect: {verdict: deny}}',
    '4: oldObject: must be set',
  ],
  ['- {name: a, expect: {verdict: deny}}', '4: oldObject: must be set'],
  [
    '- {name: a, object: widgets/six.yaml, groups: [x], expect: {verdict: deny}}',
    '4: groups: must not be set without user',
  ],
  [
    '- {name: a, object: widgets/six.yaml, namespaceLabels: {a: 1}, expect: {verdict: deny}}',
    '4: namespaceLabels: must be a map of texts',
  ],
  [
    '- {name: a, object: widgets/six.yaml, expect: {verdict: deny, object: {}}}',
    '4: expect.object: must be an object, of a write that is let through',
  ],
  ['- {name: a, name: b, object: {}, expect: {verdict: deny}}', '4: key "name" already set in map'],
  ['  []', '3: cases: must be a list with cases in it'],
])('%s is no case', async (cases, message) => {
  const path = folder('wrong', cases);
  await expect(report(path)).rejects.toThrow(`${path}/cases.yaml:${message}`);
});

test('cases without policies would all be let through', async () => {
  const path = join(root, 'bare.yaml');
  writeFileSync(
    path,
    `apiVersion: ilk/v1\nkind: PolicyTest\ncases: [{name: a, object: {}, expect: {verdict: allow}}]`,
  );
  await expect(report(path)).rejects.toThrow(`${root}: no admission policy beside the cases`);
  await expect(report(join(examples, 'crd.yaml'))).rejects.toThrow('crd.yaml: no PolicyTest of ilk/v1 in it');
});

test.each<[JsonValue, JsonValue, string | undefined]>([
  [{ a: 1, b: 2 }, { a: 1 }, undefined],
  [{ a: { b: [1] } }, { a: { b: [1] } }, undefined],
  [{ a: { b: [1, 2] } }, { a: { b: [1] } }, 'a.b: expected [1], got [1,2]'],
  [{ a: 1 }, { a: null }, 'a: expected nothing, got 1'],
  [{}, { a: null }, undefined],
  [{}, { a: { b: null } }, 'a: expected {"b":null}, got nothing'],
  [{}, { constructor: 1 }, 'constructor: expected 1, got nothing'],
])('%j has to have %j: %s', (actual, expected, missing) => {
  expect(missingFrom(actual, expected)).toBe(missing);
});

test('the namespace default, which every server has, can have labels too', async () => {
  const cases = `- name: production
  object: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {replicas: 6}}
  namespaceLabels: {env: production}
  expect: {verdict: deny, message: at most 5}
- name: no labels
  object: {apiVersion: example.com/v1, kind: Widget, metadata: {name: b}, spec: {replicas: 6}}
  namespaceLabels: {}
  expect: {verdict: allow}
`;
  expect(await report(folder('default', cases))).toBe(`default/cases.yaml:4: ok: production
default/cases.yaml:8: ok: no labels
2 cases: 2 passed, 0 failed, 0 errors
`);
});
