import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Shell } from './shell.ts';
import { followPage, startServer } from './story.ts';

/** The pages about parts of Ilk, followed word for word. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A kind of widgets, with these properties of its spec. */
const widgetsCrd = (properties: string, more = '') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true${more}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: ${properties}}}}}
`;
const widgets = widgetsCrd(
  '{color: {type: string, enum: [blue, green]}, size: {type: integer}, replicas: {type: integer}}',
);

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Commands that must work, before the reader comes. */
async function prepare(shell: Shell, ...commands: string[]): Promise<void> {
  for (const command of commands) expect(await shell.run(command)).toMatchObject({ code: 0 });
}

/** A running server, with a kubeconfig for kubectl, established CRDs, and objects. */
async function serve(
  folder: string,
  shell: Shell,
  crd: string,
  objects: string,
  ...flags: string[]
): Promise<void> {
  write(folder, { 'crd.yaml': crd, 'objects.yaml': objects });
  await startServer(shell, ['ilk serve --data-dir ilk-data --crds crd.yaml', ...flags].join(' '));
  await prepare(shell, 'export KUBECONFIG=$PWD/ilk-data/admin.kubeconfig', 'kubectl apply -f objects.yaml');
}

const inGit =
  'git init -q -b main . && git add crds manifests && git -c user.name=a -c user.email=a@example.com commit -q -m a';

const widget = (name: string, spec: string) =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec: {${spec}}\n`;

followPage('validate.md', {
  before: async (folder, shell) => {
    const heading = '# The widgets of the shop.\n# Each has a color.\n\n';
    const first =
      'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  color: red\n---\n';
    const second = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: b}\nspec:\n  sise: 1\n';
    write(folder, {
      'crds/widgets.yaml': widgets,
      'manifests/widgets.yaml': heading + first + second,
      'policies/policies.yaml': readFileSync(`${root}examples/policies/policies.yaml`, 'utf8'),
    });
    await prepare(shell, inGit);
  },
  // What is wrong in the first block is wrong in the others, too.
  codes: [0, 1],
});

followPage('diff.md', {
  before: async (folder, shell) => {
    write(folder, { 'crds/widgets.yaml': widgetsCrd('{size: {type: integer}}'), 'manifests/none.yaml': '' });
    await prepare(shell, inGit);
    write(folder, {
      'crds/widgets.yaml': widgetsCrd('{note: {type: string}, size: {type: integer, minimum: 3}}'),
    });
    await serve(folder, shell, widgets, widget('a', 'size: 1'));
  },
  codes: [0, 1],
});

followPage('types.md', {
  skip: {
    'ilk types crds/ --out-dir src/types --watch': 'it goes on until it is ended; src/cli/types tests it',
  },
  before: async (folder) => write(folder, { 'crds/widgets.yaml': widgets, 'src/none': '' }),
});

followPage('policy-tests.md', { before: async () => {} });

followPage('field-selectors.md', {
  before: (folder, shell) => {
    const properties =
      '{color: {type: string}, size: {type: string}, count: {type: integer}, tags: {type: array, items: {type: string}}}';
    const paths = ['.spec.color', '.spec.size', '.spec.count', '.spec.tags[*]'].map(
      (path) => `{jsonPath: '${path}'}`,
    );
    const crd = widgetsCrd(properties, `\n    selectableFields: [${paths}]`)
      .replaceAll('widget', 'shirt')
      .replaceAll('Widget', 'Shirt');
    const shirt = widget('one', 'color: blue, size: M, count: 6, tags: [hot]').replaceAll('Widget', 'Shirt');
    return serve(folder, shell, crd, shirt);
  },
});

followPage('flow-control.md', {
  before: (folder, shell) => serve(folder, shell, widgets, widget('one', 'size: 1')),
});

followPage('simulate.md', {
  before: (folder, shell) =>
    serve(folder, shell, widgets, widget('one', 'size: 1'), '--controllers=+simulate'),
  polled: /rollout status/,
});

followPage('storage.md', {
  before: (folder, shell) => serve(folder, shell, widgets, widget('one', 'size: 1')),
});

followPage('backup.md', {
  numbersVary: true,
  skip: {
    'ilk backup --etcd-servers': 'test/storage/backup.test.ts does, with an etcd',
    'ilk backup --postgres': 'test/storage/backup.test.ts does, with a PostgreSQL',
  },
  before: async (folder, shell) => {
    const file = (name: string) => readFileSync(`${root}examples/tutorial/${name}.yaml`, 'utf8');
    await serve(folder, shell, file('crd'), file('garden'));
  },
});

followPage('access.md', {
  numbersVary: true,
  before: (folder, shell) =>
    serve(folder, shell, widgets, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n'),
});

followPage('admission.md', {
  before: async (folder, shell) => {
    const page = readFileSync(`${root}docs/admission.md`, 'utf8');
    const [validating = '', mutating = '', quota = ''] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, text]) => text,
    );
    const binding = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: all}
spec:
  policyName: replicas.example.com
  paramRef: {name: max, namespace: default, parameterNotFoundAction: Deny}
  validationActions: [Deny]
`;
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n';
    const max = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: max}\ndata: {max: "5"}\n';
    await serve(folder, shell, widgets, [namespace, max, quota, validating, binding, mutating].join('---\n'));
    write(folder, {
      'widget.json':
        '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"many"},"spec":{"replicas":6}}',
    });
  },
  numbersVary: true,
  polled: /explain=admission/,
});

followPage('controllers.md', {
  before: (folder, shell) =>
    serve(folder, shell, widgets, widget('one', 'size: 1'), '--controllers=+csrsigning'),
});

followPage('built-in-kinds.md', {
  before: async (folder, shell) => {
    await serve(folder, shell, widgets, widget('one', 'size: 1'));
    // The page's server is another one: it takes the folder of this name.
    await prepare(shell, 'cp -r ilk-data other && export KUBECONFIG=$PWD/other/admin.kubeconfig');
  },
  skip: { 'ilk serve --openapi': "test/built-in serves kinds of upstream's documents" },
});

followPage('playground.md', {
  before: async (folder, shell) => {
    await serve(folder, shell, widgets, widget('one', 'size: 1'));
    await prepare(
      shell,
      "export SERVER=$(kubectl config view --minify -o 'jsonpath={.clusters[0].cluster.server}')",
      'kubectl create serviceaccount me && kubectl create clusterrolebinding me --clusterrole=cluster-admin --serviceaccount=default:me',
      'export TOKEN=$(kubectl create token me)',
    );
  },
});
