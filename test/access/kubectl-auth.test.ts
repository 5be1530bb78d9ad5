import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { type Answer, Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';
import { binding, clusterBinding, clusterRole, isGroup, isUser, rbac, role } from './requests.ts';

/** Older ones know fewer flags, and print the same answers in other words. */
const minorMin = 30;

/** What is left when the digest of a certificate is cut. */
const plain = ({ code, out, err }: Answer) => ({
  code,
  out: out.replaceAll(/X509SHA256=[0-9a-f]{64}/g, 'DIGEST').replaceAll(/ +$/gm, ''),
  err,
});
const yes = { code: 0, out: 'yes\n', err: '' };
const no = { code: 1, out: 'no\n', err: '' };

describe.skipIf((kubectlMinor ?? 0) < minorMin)(
  `kubectl auth (skipped without kubectl 1.${minorMin} on the PATH)`,
  () => {
    let server: IlkServer;
    let admin: Kubectl;
    let alice: Kubectl;
    beforeAll(async () => {
      server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
      admin = new Kubectl(server.kubeconfigPath);
      alice = new Kubectl((await server.addUser({ name: 'alice', groups: ['dev'] })).kubeconfigPath);
      const inTeam = (object: { metadata: object }) => ({
        ...object,
        metadata: { ...object.metadata, namespace: 'team-a' },
      });
      const items = [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-b' } },
        inTeam(
          role(
            'dev',
            { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] },
            { verbs: ['*'], apiGroups: [''], resources: ['configmaps'] },
            { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['ours'] },
          ),
        ),
        inTeam(binding('dev', 'Role/dev', isGroup('dev'))),
        clusterRole('acts-as-bob', {
          verbs: ['impersonate'],
          apiGroups: [''],
          resources: ['users'],
          resourceNames: ['bob'],
        }),
        clusterBinding('acts-as-bob', 'ClusterRole/acts-as-bob', isUser('alice')),
        inTeam(binding('bob', 'ClusterRole/view', isUser('bob'))),
        inTeam(binding('lost', 'Role/lost', isUser('carol'))),
      ];
      const made = await admin.run('apply -f -', [], { input: { apiVersion: 'v1', kind: 'List', items } });
      expect(made.err).toBe('');
    });
    afterAll(async () => {
      admin[Symbol.dispose]();
      alice[Symbol.dispose]();
      await server.close();
    });

    const notNamespaced = (resource: string) => `Warning: resource '${resource}' is not namespace scoped\n\n`;

    test.each<[string, Answer]>([
      ['create configmaps -n team-a', yes],
      ['create configmaps -n team-b', no],
      ['create configmaps --all-namespaces', no],
      ['delete configmap/one -n team-a', yes],
      ['get pods --subresource=log -n team-a', yes],
      ['get pods/log -n team-a', yes],
      ['get pods --subresource=exec -n team-a', no],
      ['get secret/ours -n team-a', yes],
      ['get secret/theirs -n team-a', no],
      ['list secrets -n team-a', no],
      ['get /healthz', yes],
      ['get /metrics', no],
      ['list configmaps -n team-a -q', { ...yes, out: '' }],
      ['list nodes -q', { ...no, out: '', err: notNamespaced('nodes') }],
      ['list nodes', { ...no, err: notNamespaced('nodes') }],
      [
        'create widgets.example.com',
        {
          ...no,
          err: "Warning: the server doesn't have a resource type 'widgets' in group 'example.com'\n\n",
        },
      ],
      ['polish configmaps -n team-b', { ...no, err: "Warning: verb 'polish' is not a known verb\n\n" }],
      ['get configmaps -n team-a --as bob', yes],
      ['delete configmaps -n team-a --as bob', no],
      ['get configmaps -n team-b --as bob', no],
    ])('can-i %s', async (question, answer) => {
      expect(await alice.run(`auth can-i ${question}`)).toEqual(answer);
    });

    test('can-i --as a user that may not be impersonated', async () => {
      // The mode of impersonation that worked last is tried first, and its refusal is returned.
      expect((await alice.run('auth can-i get pods -n team-a --as bob')).out).toBe('yes\n');
      expect(await alice.run('auth can-i get pods --as carol')).toEqual({
        code: 1,
        out: '',
        err:
          'Error from server (Forbidden): users "carol" is forbidden: User "alice" cannot impersonate resource "users" in ' +
          'API group "" at the cluster scope\n',
      });
    });

    test('can-i tells of a role that is missing', async () => {
      expect(await admin.run('auth can-i get pods -n team-a --as carol')).toEqual({
        code: 1,
        out: 'no - RBAC: role.rbac.authorization.k8s.io "lost" not found\n',
        err: '',
      });
    });

    const open = `\
selfsubjectreviews.authentication.k8s.io        []                        []               [create]
selfsubjectaccessreviews.authorization.k8s.io   []                        []               [create]
selfsubjectrulesreviews.authorization.k8s.io    []                        []               [create]
`;
    /** Health and version are in two roles that everybody has: upstream lists them twice. */
    const urls = [
      '/api/*',
      '/api',
      '/apis/*',
      '/apis',
      ...twice('/healthz'),
      '/ilk/v1/definitions/*',
      ...twice('/livez'),
    ]
      .concat(['/openapi/*', '/openapi', ...twice('/readyz'), ...twice('/version/'), ...twice('/version')])
      .map((url) => `${' '.repeat(48)}${`[${url}]`.padEnd(26)}[]               [get]\n`)
      .join('');
    /** Ilk's own: every user may create a console link, compare definitions, and use the playground. */
    const console = [
      '/ilk/v1/console/codes',
      '/ilk/v1/definitions/*',
      '/ilk/v1/playground/*',
      '/ilk/v1/playground',
    ]
      .map((url) => `${' '.repeat(48)}${`[${url}]`.padEnd(26)}[]               [post]\n`)
      .join('');
    const header = `\
Resources                                       Non-Resource URLs         Resource Names   Verbs
`;

    test('can-i --list', async () => {
      expect(await alice.run('auth can-i --list -n team-a')).toEqual({
        code: 0,
        out: `\
${header}configmaps                                      []                        []               [*]
${open}pods/log                                        []                        []               [get list]
pods                                            []                        []               [get list]
${urls}secrets                                         []                        [ours]           [get]
users                                           []                        [bob]            [impersonate]
${console}`,
        err: '',
      });
    });

    test('can-i --list of an administrator begins with everything', async () => {
      expect(await admin.run('auth can-i --list')).toEqual({
        code: 0,
        out: `\
${header}*.*                                             []                        []               [*]
${' '.repeat(48)}[*]                       []               [*]
${open}${urls}${console}`,
        err: '',
      });
    });

    test('whoami', async () => {
      expect(plain(await alice.run('auth whoami'))).toEqual({
        code: 0,
        out: `\
ATTRIBUTE                                           VALUE
Username                                            alice
Groups                                              [dev system:authenticated]
Extra: authentication.kubernetes.io/credential-id   [DIGEST]
`,
        err: '',
      });
      expect(await admin.run('auth whoami --as bob --as-group dev --as-uid 7')).toEqual({
        code: 0,
        out: `\
ATTRIBUTE   VALUE
Username    bob
UID         7
Groups      [dev system:authenticated]
`,
        err: '',
      });
      expect((await admin.run('auth whoami --as bob -o jsonpath={.status.userInfo}')).out).toBe(
        '{"groups":["system:authenticated"],"username":"bob"}',
      );
    });

    describe('reconcile', () => {
      const wanted = (verbs: string[], subject: string, roleKind = 'Role') => ({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            ...role('reader', { verbs, apiGroups: [''], resources: ['configmaps'] }),
            metadata: { name: 'reader', namespace: 'team-b' },
          },
          {
            ...binding('readers', `${roleKind}/reader`, { ...isUser(subject), apiGroup: rbac }),
            metadata: { name: 'readers', namespace: 'team-b' },
          },
          clusterRole('reader', { verbs: ['get'], nonResourceURLs: ['/metrics'] }),
        ],
      });
      const reconcile = async (who: Kubectl, input: object, flags = '') =>
        who.run(`auth reconcile -f -${flags}`, [], { input });
      const reconciled = `\
role.rbac.authorization.k8s.io/reader reconciled
rolebinding.rbac.authorization.k8s.io/readers reconciled
clusterrole.rbac.authorization.k8s.io/reader reconciled
`;
      const list = (verbs: string) =>
        `\t\t{Verbs:[${verbs}] APIGroups:[] Resources:[configmaps] ResourceNames:[] NonResourceURLs:[]}\n`;
      const person = (name: string) =>
        `\t\t{Kind:User APIGroup:rbac.authorization.k8s.io Name:${name} Namespace:}\n`;

      test('makes what is missing, once', async () => {
        expect(await reconcile(admin, wanted(['get', 'list'], 'carol'))).toEqual({
          code: 0,
          out: reconciled,
          err:
            `\treconciliation required create\n\tmissing rules added:\n${list('get list')}` +
            `\treconciliation required create\n\tmissing subjects added:\n${person('carol')}` +
            '\treconciliation required create\n\tmissing rules added:\n' +
            '\t\t{Verbs:[get] APIGroups:[] Resources:[] ResourceNames:[] NonResourceURLs:[/metrics]}\n',
        });
        expect(await reconcile(admin, wanted(['get', 'list'], 'carol'))).toEqual({
          code: 0,
          out: reconciled,
          err: '',
        });
      });

      test('adds rules and subjects, and removes others only with a flag', async () => {
        expect((await reconcile(admin, wanted(['get', 'watch'], 'dave'))).err).toBe(
          `\treconciliation required update\n\tmissing rules added:\n${list('watch')}` +
            `\treconciliation required update\n\tmissing subjects added:\n${person('dave')}`,
        );
        const flags = ' --remove-extra-subjects --remove-extra-permissions';
        expect((await reconcile(admin, wanted(['get', 'watch'], 'dave'), flags)).err).toBe(
          `\treconciliation required update\n\textra rules removed:\n${list('list')}` +
            `\treconciliation required update\n\textra subjects removed:\n${person('carol')}`,
        );
      });

      test('recreates a binding whose role has changed', async () => {
        expect((await reconcile(admin, wanted(['get', 'watch'], 'dave', 'ClusterRole'))).err).toBe(
          '\treconciliation required recreate\n',
        );
        const kind = await admin.run('get rolebinding readers -n team-b -o jsonpath={.roleRef.kind}');
        expect(kind.out).toBe('ClusterRole');
      });

      test('is refused to others', async () => {
        const about = (resource: string, name: string) =>
          `Error from server (Forbidden): ${resource}.rbac.authorization.k8s.io "${name}" is forbidden: User "alice" cannot ` +
          `get resource "${resource}" in API group "rbac.authorization.k8s.io" `;
        expect(await reconcile(alice, wanted(['get'], 'alice'))).toEqual({
          code: 1,
          out: '',
          err:
            `${about('roles', 'reader')}in the namespace "team-b"\n` +
            `${about('rolebindings', 'readers')}in the namespace "team-b"\n` +
            `${about('clusterroles', 'reader')}at the cluster scope\n`,
        });
      });
    });
  },
);

function twice(url: string): string[] {
  return [url, url];
}
