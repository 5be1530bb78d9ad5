import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, randomFrom } from '../../src/cache/random.test-support.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import {
  binding,
  clusterBinding,
  clusterRole,
  get,
  isGroup,
  isUser,
  rbac,
  type Rule,
  send,
} from './requests.ts';

/** Random roles, bindings and aggregation: what the server decides is what a reference of twenty lines decides. */

const changesPerSeed = 60;
const questionsPerChange = 12;

const api = `/apis/${rbac}/v1`;
const namespaces = ['one', 'two'];
const users = ['ann', 'ben', 'system:serviceaccount:one:bot'];
const groups = ['dev', 'ops'];
const verbs = ['get', 'list', 'create', 'escalate', '*'];
const apiGroups = ['', 'example.com', 'x/y', '*'];
/** What is bad as a resource is there too: rules and reviews take any text. */
const resources = ['pods', 'pods/log', 'widgets', 'userextras/x', 'userextras/x/', '*/log', 'pods/*', '*'];
const names = ['', 'a', 'b'];
const urls = ['/metrics', '/logs/*', '/logs', '/logs/a', '*'];

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}
interface Access {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  rules?: Rule[];
  aggregationRule?: { clusterRoleSelectors: { matchLabels: Record<string, string> }[] };
  roleRef?: { kind: string; name: string };
  subjects?: Subject[];
}
interface Question {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly namespace: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Instead of a resource. */
  readonly path?: string;
}

/** The reference: no index, nothing remembered. */
function allows(objects: readonly Access[], asked: Question): boolean {
  const has = (list: readonly string[] = [], word: string) => list.includes('*') || list.includes(word);
  const isAsking = (bound: Access, { kind, name, namespace = bound.metadata.namespace }: Subject) =>
    (kind === 'User' && name === asked.user) ||
    (kind === 'Group' && asked.groups.includes(name)) ||
    (kind === 'ServiceAccount' && `system:serviceaccount:${namespace}:${name}` === asked.user);
  const { resource, subresource, path } = asked;
  const coversUrl = (one: string) =>
    one === path || (one.endsWith('*') && path?.startsWith(one.slice(0, -1)));
  const covers = (rule: Rule) =>
    has(rule.verbs, asked.verb) &&
    (path !== undefined
      ? (rule.nonResourceURLs ?? []).some(coversUrl)
      : has(rule.apiGroups, asked.group) &&
        (has(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`) ||
          (subresource !== '' && rule.resources?.includes(`*/${subresource}`))) &&
        (!rule.resourceNames?.length || rule.resourceNames.includes(asked.name)));
  return objects
    .filter(
      ({ kind, metadata }) =>
        kind === 'ClusterRoleBinding' || (kind === 'RoleBinding' && metadata.namespace === asked.namespace),
    )
    .filter((bound) => bound.subjects?.some((subject) => isAsking(bound, subject)))
    .flatMap((bound) =>
      objects.filter(
        ({ kind, metadata }) =>
          kind === bound.roleRef?.kind &&
          metadata.name === bound.roleRef.name &&
          metadata.namespace === (kind === 'Role' ? bound.metadata.namespace : undefined),
      ),
    )
    .some((one) => rulesOf(objects, one).some(covers));
}

/** The rules of a role, or of all that it gathers. */
function rulesOf(objects: readonly Access[], { rules, aggregationRule }: Access): Rule[] {
  if (aggregationRule === undefined) return rules ?? [];
  const wanted = aggregationRule.clusterRoleSelectors.map(({ matchLabels }) => Object.entries(matchLabels));
  return objects
    .filter(
      ({ kind, metadata }) =>
        kind === 'ClusterRole' &&
        wanted.some((pairs) => pairs.every(([key, value]) => metadata.labels?.[key] === value)),
    )
    .flatMap((one) => rulesOf(objects, one));
}

class RandomAccess {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  below(end: number): number {
    return this.#random.below(end);
  }

  one<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error('an empty list');
    return found;
  }

  some<T>(list: readonly T[]): T[] {
    return [...new Set([this.one(list), this.one(list)])];
  }

  rule(ofCluster: boolean): Rule {
    if (ofCluster && this.below(4) === 0)
      return { verbs: this.some(verbs), nonResourceURLs: this.some(urls) };
    const rule = {
      verbs: this.some(verbs),
      apiGroups: this.some(apiGroups),
      resources: this.some(resources),
    };
    return this.below(3) === 0 ? { ...rule, resourceNames: this.some(['a', 'b']) } : rule;
  }

  subject(): Subject {
    const kind = this.below(3);
    if (kind === 0) return isUser(this.one(users));
    if (kind === 1) return isGroup(this.one(groups));
    return { kind: 'ServiceAccount', name: 'bot', namespace: this.one(namespaces) };
  }

  object(): Access {
    const namespace = this.one(namespaces);
    const name = `r${this.below(3)}`;
    switch (this.below(4)) {
      case 0:
        return {
          ...clusterRole(name, this.rule(false), this.rule(false)),
          kind: 'Role',
          metadata: { name, namespace },
        };
      case 1: {
        const labels = this.one<Record<string, string>>([{}, { into: 'sum' }, { into: 'total' }]);
        return { ...clusterRole(name, this.rule(true), this.rule(true)), metadata: { name, labels } };
      }
      case 2: {
        const role = this.one([
          'Role/r0',
          'Role/r1',
          'ClusterRole/r1',
          'ClusterRole/total',
          'ClusterRole/lost',
        ]);
        const made = binding(this.#bindingName(role), role, this.subject(), this.subject()) as Access;
        return { ...made, metadata: { ...made.metadata, namespace } };
      }
      default: {
        const role = this.one(['ClusterRole/r0', 'ClusterRole/r2', 'ClusterRole/sum', 'ClusterRole/total']);
        return clusterBinding(this.#bindingName(role), role, this.subject()) as Access;
      }
    }
  }

  /** What a binding binds to never changes. */
  #bindingName = (role: string) => role.replace('/', '-').toLowerCase();

  question(): Question {
    const user = this.one(users);
    const [resource = '', subresource = ''] = this.one([
      ['pods'],
      ['pods', 'log'],
      ['widgets'],
      ['widgets', 'log'],
      ['userextras', 'x'],
      ['userextras', 'x/'],
      ['userextras/x'],
      ['userextras/x/'],
      ['y/pods'],
    ]);
    const isUrl = this.below(5) === 0;
    const question = {
      user,
      groups: user.startsWith('system:') ? [] : this.some(groups),
      verb: this.one(['get', 'list', 'create', 'escalate']),
      // A path is in no namespace: what a RoleBinding gives is no right to it.
      namespace: isUrl ? '' : this.one(['', ...namespaces]),
      group: this.one(['', 'example.com', 'x', 'x/y']),
      resource,
      subresource,
      name: this.one(names),
    };
    return isUrl
      ? { ...question, path: this.one(['/metrics', '/logs', '/logs/', '/logs/a', '/else']) }
      : question;
  }
}

function collectionOf({ kind, metadata: { namespace } }: Access): string {
  const plural = `${kind.toLowerCase()}s`;
  return namespace === undefined ? `${api}/${plural}` : `${api}/namespaces/${namespace}/${plural}`;
}

const gathers = (name: string, labels: Record<string, string>): Access => ({
  ...clusterRole(name),
  metadata: { name, labels },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { into: name } }] },
});

describe.each([1, 2, 3])('seed %i', (seed) => {
  const random = new RandomAccess(seed);
  const model = new Map<string, Access>();
  let server: IlkServer;
  const fetches = new Map<string, IlkServer['fetch']>();
  beforeAll(async () => {
    server = await startServer({ listen: false });
    for (const name of namespaces)
      await send(server.fetch, 'POST', '/api/v1/namespaces', { metadata: { name } });
    for (const role of [gathers('sum', { into: 'total' }), gathers('total', {})]) await put(role);
  });
  afterAll(() => server.close());

  async function put(object: Access) {
    const collection = collectionOf(object);
    const path = `${collection}/${object.metadata.name}`;
    const isThere = model.has(path);
    const written = await send(server.fetch, isThere ? 'PUT' : 'POST', isThere ? path : collection, object);
    expect(written.message).toBe('');
    model.set(path, object);
  }

  async function drop(path: string) {
    expect((await send(server.fetch, 'DELETE', path)).status).toBe(200);
    model.delete(path);
  }

  /** The controller is done: the two roles have what they gather. */
  async function gathered() {
    const objects = [...model.values()];
    for (const name of ['sum', 'total']) {
      const role = model.get(`${api}/clusterroles/${name}`);
      const texts = (rules: readonly object[]) => [...new Set(rules.map(textOf))].sort();
      const wanted = role === undefined ? [] : texts(rulesOf(objects, role));
      await expect
        .poll(async () => texts((await get(server.fetch, `${api}/clusterroles/${name}`)).json.rules ?? []), {
          timeout: 20_000,
          interval: 5,
        })
        .toEqual(wanted);
    }
  }

  /** Of a user that the server has seen before, so that what it remembers is asked too. */
  async function decision({ user, groups: of, path, ...resource }: Question): Promise<boolean> {
    const key = `${user} ${of.join(' ')}`;
    const known = fetches.get(key) ?? server.as({ name: user, groups: [...of] }).fetch;
    fetches.set(key, known);
    const spec =
      path === undefined
        ? { resourceAttributes: resource }
        : { nonResourceAttributes: { path, verb: resource.verb } };
    const self = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { json } = await send(known, 'POST', self, { spec });
    return json.status.allowed;
  }

  test(`${changesPerSeed} changes, each followed by ${questionsPerChange} questions`, async () => {
    const answers = { yes: 0, no: 0 };
    for (let change = 0; change < changesPerSeed; change += 1) {
      const object = random.object();
      const path = `${collectionOf(object)}/${object.metadata.name}`;
      if (model.has(path) && random.below(3) === 0) await drop(path);
      else await put(object);
      await gathered();
      const objects = [...model.values()];
      for (let count = 0; count < questionsPerChange; count += 1) {
        const question = random.question();
        const wanted = allows(objects, question);
        answers[wanted ? 'yes' : 'no'] += 1;
        expect({ change, question, allowed: await decision(question) }).toEqual({
          change,
          question,
          allowed: wanted,
        });
      }
    }
    // Neither is rare: the test asks something.
    expect(Math.min(answers.yes, answers.no)).toBeGreaterThan(changesPerSeed);
  });
});

function textOf(rule: object): string {
  return JSON.stringify(Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test('what a review has asked does not change what a request may do', async () => {
  await using server = await startServer({ listen: false });
  const rule = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['bob'] };
  const extra = { verbs: ['impersonate'], apiGroups: ['authentication.k8s.io'], resources: ['userextras/x'] };
  await send(server.fetch, 'POST', `${api}/clusterroles`, clusterRole('acts', rule, extra));
  const bound = clusterBinding('acts', 'ClusterRole/acts', isUser('ann'));
  await send(server.fetch, 'POST', `${api}/clusterrolebindings`, bound);
  const { fetch } = server.as({ name: 'ann' });
  const resourceAttributes = {
    verb: 'impersonate',
    group: 'authentication.k8s.io',
    resource: 'userextras/x',
  };
  const self = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  expect((await send(fetch, 'POST', self, { spec: { resourceAttributes } })).json.status.allowed).toBe(true);
  const as = (key: string) =>
    get(fetch, '/api', { 'Impersonate-User': 'bob', [`Impersonate-Extra-${key}`]: 'anything' });
  expect((await as('x')).status).toBe(200);
  expect((await as('x%2f')).status).toBe(403);
});
