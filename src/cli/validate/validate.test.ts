import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { plain } from '../paint.ts';
import { formats } from './formats/format.ts';
import { type ValidateOptions, validate } from './validate.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-validate-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const crd = file(
  'crd.yaml',
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status: {type: object, properties: {ready: {type: boolean}}}
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: self.size >= oldSelf.size, message: size only grows}
            properties:
              color: {type: string, enum: [blue, green], default: blue}
              size: {type: integer, minimum: 0, default: 1}
              labels: {type: object, additionalProperties: {type: string, maxLength: 3}}
`,
);

const widget = (name: string, spec: string) =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec:\n${spec}`;

const defaults: ValidateOptions = {
  paths: [],
  crds: [crd],
  old: [],
  strict: false,
  ignoreMissingSchemas: false,
  skip: new Set(),
  featureGates: undefined,
  onProgress: () => {},
};

/** The report as text, without the folder. */
async function report(options: Partial<ValidateOptions>, format = 'text', verbose = true): Promise<string[]> {
  const all = await validate({ ...defaults, ...options });
  const text = formats.get(format)?.(all, { verbose, summary: format === 'text', paint: plain }) ?? '';
  return text.replaceAll(`${folder}/`, '').trimEnd().split('\n');
}

test('every error stands on the line of its field, in the words of the server', async () => {
  const bad = file(
    'bad.yaml',
    `# first\n${widget('a', '  size: -1\n  color: red\n  labels:\n    a.b/c: long\n')}`,
  );
  expect(await report({ paths: [bad] })).toEqual([
    'bad.yaml:7: Widget a: spec.color: Unsupported value: "red": supported values: "blue", "green"',
    'bad.yaml:9: Widget a: spec.labels.a.b/c: Too long: may not be more than 3 bytes',
    'bad.yaml:6: Widget a: spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0',
    'bad.yaml:2: Widget a: <nil>: Invalid value: null: some validation rules were not checked because the object was ' +
      'invalid; correct the existing errors to complete validation',
    '1 object in 1 file: 0 valid, 1 invalid, 0 with errors, 0 skipped',
  ]);
});

test('unknown and repeated fields are warnings, and errors where one is strict', async () => {
  const path = file('twice.yaml', widget('a', '  sise: 1\n  size: 1\n  size: 2\n'));
  const said = [
    'twice.yaml:7: Widget a: warning: key "size" already set in map',
    'twice.yaml:5: Widget a: warning: unknown field "spec.sise"',
  ];
  expect((await report({ paths: [path] })).slice(0, 2).sort()).toEqual(said.sort());
  const strict = await report({ paths: [path], strict: true });
  expect(strict.slice(0, 2)).toEqual([
    'twice.yaml:5: Widget a: unknown field "spec.sise"',
    'twice.yaml:7: Widget a: key "size" already set in map',
  ]);
});

test('an update sees the old object: transition rules speak, and what was wrong before may stay', async () => {
  const old = file('old.yaml', widget('a', '  size: 5\n  color: red\n'));
  const smaller = file('smaller.yaml', widget('a', '  size: 4\n  color: red\n'));
  const larger = file('larger.yaml', widget('a', '  size: 6\n  color: red\n'));
  expect(await report({ paths: [smaller, larger], old: [old] })).toEqual([
    'smaller.yaml:4: Widget a: spec: Invalid value: size only grows',
    'larger.yaml:1: Widget a is valid',
    '2 objects in 2 files: 1 valid, 1 invalid, 0 with errors, 0 skipped',
  ]);
});

test('an update shows what the endpoint of the status says, too', async () => {
  const old = file('old-status.yaml', `${widget('a', '  size: 5\n')}status: {ready: false}\n`);
  const bad = file('bad-status.yaml', `${widget('a', '  size: 5\n')}status: {ready: soon}\n`);
  const [first] = await report({ paths: [bad], old: [old] });
  expect(first).toBe(
    'bad-status.yaml:6: Widget a: status.ready: Invalid value: "string": ready in body must be of type ' +
      'boolean: "string"',
  );
});

test('an update of a CRD is checked against the CRD that was there', async () => {
  const changed = file('changed.yaml', '');
  writeFileSync(changed, readFileSync(crd, 'utf8').replace('scope: Namespaced', 'scope: Cluster'));
  const lines = await report({ paths: [changed], crds: [], old: [crd] });
  expect(lines[0]).toBe(
    'changed.yaml:6: CustomResourceDefinition widgets.example.com: spec.scope: Invalid value: "Cluster": field is immutable',
  );
});

test('lists, several documents, unknown kinds, skipped kinds and files that cannot be read', async () => {
  const item = (name: string) => `- {apiVersion: example.com/v1, kind: Widget, metadata: {name: ${name}}}\n`;
  const list = file('list.yaml', `apiVersion: v1\nkind: List\nitems:\n${item('a')}${item('B')}`);
  const other = file('other.yaml', 'apiVersion: other.org/v1\nkind: Other\n---\nkind: Widget\n---\nx: 1\n');
  const broken = file('broken.yaml', 'a: 1\nb: c: d\n');
  const lines = await report({ paths: [list, other, broken], skip: new Set(['Widget']) });
  expect(lines.slice(2)).toEqual([
    'other.yaml:1: Other: no matches for kind "Other" in version "other.org/v1"',
    'other.yaml:4: Widget is skipped',
    'other.yaml:6: document: apiVersion and kind must be set',
    'broken.yaml:2: document: yaml: line 2: mapping values are not allowed in this context',
    '6 objects in 3 files: 0 valid, 0 invalid, 3 with errors, 3 skipped',
  ]);
  const [first, second] = await report({ paths: [list, other], ignoreMissingSchemas: true });
  expect(first).toBe('list.yaml:4: Widget a is valid');
  expect(second).toMatch(
    /^list.yaml:5: Widget B: metadata.name: Invalid value: "B": a lowercase RFC 1123 subdomain/,
  );
});

test('a CRD that is refused is reported, even where it is not among the paths', async () => {
  const refused = file(
    'refused.yaml',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {}\n',
  );
  const lines = await report({ paths: [], crds: [refused] });
  expect(lines[0]).toMatch(/^refused.yaml:1: CustomResourceDefinition: .*Required value/);
});

test('valid objects come with their defaults', async () => {
  const path = file('good.yaml', widget('a', '  size: 2\n'));
  const [checked] = await validate({ ...defaults, paths: [path] });
  expect(checked?.object).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a', namespace: 'default' },
    spec: { color: 'blue', size: 2 },
  });
});

test('TAP', async () => {
  const path = file('tap.yaml', `${widget('a', '  color: red\n')}---\n${widget('b', '  sise: 1\n')}`);
  expect(await report({ paths: [path] }, 'tap')).toEqual([
    'TAP version 13',
    '1..2',
    'not ok 1 - tap.yaml (Widget a)',
    '# tap.yaml:5: spec.color: Unsupported value: "red": supported values: "blue", "green"',
    '# tap.yaml:1: <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
      'correct the existing errors to complete validation',
    'ok 2 - tap.yaml (Widget b)',
    '# tap.yaml:11: unknown field "spec.sise"',
  ]);
});

test('JUnit escapes what XML cannot hold', async () => {
  const path = file('junit.yaml', widget('a', '  color: "<\\e>"\n'));
  expect(await report({ paths: [path] }, 'junit')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites tests="1" failures="1" errors="0" skipped="0">',
    '  <testsuite name="junit.yaml" tests="1" failures="1" errors="0" skipped="0">',
    '    <testcase name="Widget a" classname="example.com/v1/Widget"><failure message="junit.yaml:5: spec.color: ' +
      'Unsupported value: &quot;&lt;\\x1b&gt;&quot;: supported values: &quot;blue&quot;, &quot;green&quot;&#10;' +
      'junit.yaml:1: &lt;nil&gt;: Invalid value: null: some validation rules were not checked because the object was ' +
      'invalid; correct the existing errors to complete validation"/></testcase>',
    '  </testsuite>',
    '</testsuites>',
  ]);
});

test('JSON says of each object what was found, and how many there are of each', async () => {
  const path = file('json.yaml', `${widget('a', '  sise: 1\n')}---\n${widget('b', '  size: 1\n')}`);
  const quiet = JSON.parse((await report({ paths: [path] }, 'json', false)).join('\n'));
  expect(quiet.resources).toEqual([
    {
      file: 'json.yaml',
      line: 1,
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      namespace: '',
      name: 'a',
      status: 'valid',
      errors: [],
      warnings: [{ field: 'spec.sise', line: 5, message: 'unknown field "spec.sise"' }],
    },
  ]);
});

const policies = file(
  'policies.yaml',
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: size}
spec: {policyName: size, validationActions: [Deny], paramRef: {name: limits, namespace: policy, parameterNotFoundAction: Deny}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: size}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{operations: [CREATE, UPDATE], apiGroups: [example.com], apiVersions: [v1], resources: [widgets]}]
  validations:
  - expression: object.spec.size <= int(params.data.max) || request.userInfo.username == "boss"
    messageExpression: '"at most " + params.data.max + " in " + namespaceObject.metadata.name'
  - expression: oldObject == null || oldObject.spec.color == object.spec.color
    message: the color stays
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: policy}
data: {max: "5"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: label}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [example.com], apiVersions: [v1], resources: [widgets]}]
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"by": request.userInfo.username}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: label}
spec: {policyName: label}
`,
);

test('policies are asked of each object, with their parameters, namespaces and the user', async () => {
  const team = widget('a', '  size: 7').replace('name: a', 'name: a, namespace: team');
  const small = widget('b', '  size: 2');
  const manifests = file('policed.yaml', `${team}\n---\n${small}`);
  const ask = { ...defaults, policies: [policies] };
  const results = await validate({ ...ask, paths: [manifests] });
  expect(results.map(({ name, errors }) => [name, errors.map(({ message }) => message)])).toEqual([
    [
      'a',
      [
        expect.stringContaining(
          "ValidatingAdmissionPolicy 'size' with binding 'size' denied request: at most 5 in team",
        ),
      ],
    ],
    ['b', []],
  ]);
  const user = { name: 'boss', groups: [] };
  const asBoss = await validate({ ...ask, user, paths: [manifests] });
  expect(asBoss.map(({ verdict, object }) => [verdict, object?.['metadata']])).toEqual([
    ['valid', expect.objectContaining({ labels: { by: 'boss' } })],
    ['valid', expect.objectContaining({ labels: { by: 'boss' } })],
  ]);
});

test('policies see the old state, and need not like it', async () => {
  const before = file('policed-old.yaml', widget('a', '  size: 9\n  color: green'));
  const after = file('policed-new.yaml', widget('a', '  size: 9\n  color: blue'));
  const ask = { ...defaults, policies: [policies], old: [before], paths: [after] };
  const [result] = await validate({ ...ask, user: { name: 'boss', groups: [] } });
  expect(result?.errors.map(({ message }) => message)).toEqual([expect.stringContaining('the color stays')]);
});

test('a policy that a server would refuse is an error', async () => {
  const wrong = file(
    'wrong-policy.yaml',
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: x}
spec: {}
`,
  );
  const manifests = file('any.yaml', widget('a', '  size: 2'));
  const results = await validate({ ...defaults, policies: [wrong], paths: [manifests] });
  expect(results.map(({ kind, verdict }) => [kind, verdict])).toEqual([
    ['MutatingAdmissionPolicyBinding', 'invalid'],
    ['Widget', 'valid'],
  ]);
});

test('what policies deny, in JUnit and as annotations', async () => {
  const manifests = file('denied.yaml', `${widget('a', '  size: 7')}\n---\n${widget('b', '  size: 2')}`);
  const warns = file(
    'warns.yaml',
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: warns}
spec: {policyName: size, validationActions: [Warn], paramRef: {name: small, namespace: policy, parameterNotFoundAction: Deny}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: small, namespace: policy}
data: {max: "1"}
`,
  );
  const results = await validate({ ...defaults, policies: [policies, warns], paths: [manifests] });
  const report = (format: string) =>
    formats.get(format)?.(results, { verbose: false, summary: false, paint: plain }).replaceAll(folder, '');
  const denied = `widgets.example.com "a" is forbidden: ValidatingAdmissionPolicy 'size' with binding 'size' denied request: at most 5 in default`;
  const warned = `Validation failed for ValidatingAdmissionPolicy 'size' with binding 'warns': at most 1 in default`;
  expect(report('github')).toBe(
    `::error file=/denied.yaml,line=1,title=Widget a::${denied}
::warning file=/denied.yaml,line=1,title=Widget a::${warned}
::warning file=/denied.yaml,line=7,title=Widget b::${warned}
`,
  );
  expect(report('junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1" errors="0" skipped="0">
  <testsuite name="/denied.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="Widget a" classname="example.com/v1/Widget"><failure message="/denied.yaml:1: ${denied.replaceAll('"', '&quot;')}"/><system-out>${warned}</system-out></testcase>
    <testcase name="Widget b" classname="example.com/v1/Widget"><system-out>${warned}</system-out></testcase>
  </testsuite>
</testsuites>
`);
});
