import { anyJson, largeJson, metadata } from '../json-text.ts';
import type { Random } from '../random.ts';
import type { FuzzRequest, FuzzTarget } from '../target.ts';
import { prepareThings, thingFields, thingsPath } from '../things.ts';

const builtIn: readonly (readonly [path: string, kind: string, apiVersion: string])[] = [
  ['/api/v1/namespaces', 'Namespace', 'v1'],
  ['/api/v1/namespaces/default/configmaps', 'ConfigMap', 'v1'],
  ['/api/v1/namespaces/default/services', 'Service', 'v1'],
  ['/api/v1/namespaces/default/pods', 'Pod', 'v1'],
  ['/api/v1/namespaces/default/events', 'Event', 'v1'],
  ['/apis/apps/v1/namespaces/default/deployments', 'Deployment', 'apps/v1'],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'CustomResourceDefinition',
    'apiextensions.k8s.io/v1',
  ],
  ['/apis/authentication.k8s.io/v1/selfsubjectreviews', 'SelfSubjectReview', 'authentication.k8s.io/v1'],
];

const mediaTypes: readonly string[] = [
  ...['application/json', 'application/json', 'application/json;charset=utf-8', 'application/yaml'],
  ...[
    'application/vnd.kubernetes.protobuf',
    'application/cbor',
    'text/plain',
    '',
    ';',
    'application/json;q=x',
  ],
];

const yamls: readonly string[] = [
  'spec: &a [*a]',
  'spec: !!js/function "x"',
  'spec: !!binary aGk=',
  '? {a: b}\n: c',
  'a: 1\n---\nb: 2',
  '%YAML 9.9\n---\na: 1',
  '<<: {__proto__: {x: 1}}',
  'a: 0x7fffffffffffffffffff\nb: .inf\nc: 1_000\nd: 0o777\ne: 2001-01-01\nf: yes',
  '\ufeffa: 1',
  `a: ${'\t'.repeat(100)}`,
  `${'? '.repeat(2_000)}`,
  `${'- '.repeat(5_000)}1`,
  `${'{a: '.repeat(2_000)}`,
  `a: &a [${'x,'.repeat(9)}x]\n${'bcdefgh'
    .split('')
    .map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}x]\n`)
    .join('')}`,
];

const answers: readonly string[] = [
  'application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  '*/*',
  'x',
];

const queries: readonly string[] = [
  ...[
    '',
    '',
    '',
    '',
    '?dryRun=All',
    '?fieldValidation=Strict',
    '?fieldValidation=Warn',
    '?fieldValidation=x',
  ],
  ...['?fieldManager=m', `?fieldManager=${'m'.repeat(200)}`, '?pretty=true', '?dryRun=x', '?%', '?a=%ff'],
];

/** Creates and replaces with bodies of every media type. */
export const bodies: FuzzTarget = {
  name: 'bodies',
  shortCases: 500,
  prepare: prepareThings,
  run: async (random, send) => {
    await send(requestOf(random));
  },
};

function requestOf(random: Random): FuzzRequest {
  const [path, kind, apiVersion] = random.chance(0.7)
    ? ([thingsPath, 'Thing', 'fuzz.example.com/v1'] as const)
    : random.pick(builtIn);
  const name = `t${random.below(20)}`;
  const isPut = random.chance(0.4);
  const text = random.chance(0.03) ? random.pick(yamls) : documentOf(random, { kind, apiVersion, name });
  const end = isPut ? `/${name}${random.pick(['', '', '', '/status', '/scale', '/nothing'])}` : '';
  return {
    method: isPut ? 'PUT' : 'POST',
    path: `${path}${end}${random.pick(queries)}`,
    contentType: random.chance(0.8) ? 'application/json' : random.pick(mediaTypes),
    accept: random.chance(0.9) ? 'application/json' : random.pick(answers),
    body: random.chance(0.15) ? random.damaged(Buffer.from(text)) : text,
  };
}

interface Identity {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
}

function documentOf(random: Random, { kind, apiVersion, name }: Identity): string {
  const rare = (value: string) => (random.chance(0.97) ? JSON.stringify(value) : anyJson(random, 4));
  const fields = [
    `"apiVersion":${rare(apiVersion)}`,
    `"kind":${rare(kind)}`,
    `"metadata":${metadata(random, name)}`,
    `"spec":${specOf(random)}`,
    ...random.some(1, () => `"status":${anyJson(random, 2)}`),
    ...random.some(1, () => `"data":${anyJson(random, 3)}`),
  ];
  return `{${fields.join(',')}}`;
}

/** Fields of a thing with values of any type; seldom very large ones. */
export function specOf(random: Random): string {
  if (random.chance(0.05)) return anyJson(random);
  const value = () => (random.chance(0.01) ? largeJson(random) : anyJson(random, 2));
  return `{${random.some(5, () => `${JSON.stringify(random.pick(thingFields))}:${value()}`).join(',')}}`;
}
