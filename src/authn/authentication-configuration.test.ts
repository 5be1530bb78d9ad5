import { describe, expect, test } from 'vitest';
import { readAuthenticationConfiguration } from './authentication-configuration.ts';

const header = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
const read = (config: object) =>
  readAuthenticationConfiguration(JSON.stringify({ ...header, ...config }), ['https://own']);

const issuer = { url: 'https://a', audiences: ['me'] };
const username = { claim: 'sub', prefix: '' };
/** One issuer with these parts changed. */
const readJwt = (more: object) => read({ jwt: [{ issuer, claimMappings: { username }, ...more }] });
const withMappings = (mappings: object) => readJwt({ claimMappings: { username, ...mappings } });

test('reads an issuer', () => {
  const { issuers, anonymous } = readJwt({});
  expect(anonymous).toBeUndefined();
  expect(issuers).toMatchObject([
    {
      url: 'https://a',
      discoveryUrl: undefined,
      caPem: undefined,
      audiences: ['me'],
      username,
      groups: undefined,
      uid: undefined,
      extra: [],
      claimRules: [],
      userRules: [],
    },
  ]);
});

test('reads all fields of an issuer', () => {
  const { issuers } = readJwt({
    issuer: {
      ...issuer,
      discoveryURL: 'https://b/x',
      audiences: ['me', 'you'],
      audienceMatchPolicy: 'MatchAny',
    },
    claimMappings: {
      username: { expression: 'claims.sub' },
      groups: { claim: 'g', prefix: 'p:' },
      uid: { claim: 'id' },
      extra: [{ key: 'acme.io/team', valueExpression: 'claims.team' }],
    },
    claimValidationRules: [
      { claim: 'hd', requiredValue: 'x' },
      { expression: 'true', message: 'm' },
    ],
    userValidationRules: [{ expression: 'true', message: 'n' }],
  });
  expect(issuers).toMatchObject([
    {
      discoveryUrl: 'https://b/x',
      audiences: ['me', 'you'],
      username: { expression: 'claims.sub' },
      groups: { claim: 'g', prefix: 'p:' },
      uid: { claim: 'id', prefix: '' },
      extra: [{ key: 'acme.io/team', expression: 'claims.team' }],
      claimRules: [
        { claim: 'hd', requiredValue: 'x' },
        { expression: 'true', message: 'm' },
      ],
      userRules: [{ expression: 'true', message: 'n' }],
    },
  ]);
});

test.each([
  [{}, undefined],
  [{ anonymous: { enabled: true } }, { enabled: true, paths: undefined }],
  [{ anonymous: { enabled: false } }, { enabled: false, paths: undefined }],
  [{ anonymous: { enabled: true, conditions: [{ path: '/livez' }] } }, { enabled: true, paths: ['/livez'] }],
])('anonymous requests: %j', (config, expected) => expect(read(config).anonymous).toEqual(expected));

describe('refuses', () => {
  const refuses = (run: () => unknown, message: string) =>
    expect(run).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));

  test.each([
    [{ kind: 'Other' }, 'got Other of apiserver.config.k8s.io/v1'],
    [{ apiVersion: 'v1' }, 'got AuthenticationConfiguration of v1'],
    [{ kind: '', apiVersion: '' }, 'got no kind of no apiVersion'],
  ])('%j', (config, got) => {
    refuses(
      () => read(config),
      `want kind AuthenticationConfiguration of apiserver.config.k8s.io/v1, ${got}`,
    );
  });

  test('text that is not YAML', () => {
    expect(() => readAuthenticationConfiguration('a: [', [])).toThrow(
      expect.objectContaining({ name: 'ConfigurationError' }),
    );
  });

  test('more than 64 issuers', () => {
    const jwt = Array.from({ length: 65 }, () => ({}));
    refuses(() => read({ jwt }), 'jwt: Too many: 65: must have at most 64 items');
  });

  test('duplicate issuers', () => {
    const one = { issuer: { ...issuer, discoveryURL: 'https://b' }, claimMappings: { username } };
    refuses(
      () => read({ jwt: [one, one] }),
      '[jwt[1].issuer.url: Duplicate value: "https://a", jwt[1].issuer.discoveryURL: Duplicate value: "https://b"]',
    );
  });

  test('anonymous conditions if anonymous requests are disabled', () => {
    refuses(
      () => read({ anonymous: { conditions: [{ path: '/x' }] } }),
      'anonymous.conditions: Invalid value: ["/x"]: enabled should be set to true when conditions are defined',
    );
  });

  const at = 'jwt[0].issuer';
  const many = 'audienceMatchPolicy must be MatchAny for multiple audiences';
  const single = 'audienceMatchPolicy must be empty or MatchAny for single audience';
  test.each([
    [{ url: '' }, `${at}.url: Required value`],
    [{ url: 'x' }, `${at}.url: Invalid value: "x": it is no URL`],
    [{ url: 'http://a' }, `${at}.url: Invalid value: "http://a": URL scheme must be https`],
    [
      { url: 'https://me@a' },
      `${at}.url: Invalid value: "https://me@a": URL must not contain a username or password`,
    ],
    [{ url: 'https://a?x' }, `${at}.url: Invalid value: "https://a?x": URL must not contain a query`],
    [{ url: 'https://a#x' }, `${at}.url: Invalid value: "https://a#x": URL must not contain a fragment`],
    [
      { url: 'https://own' },
      `${at}.url: Invalid value: "https://own": URL must not overlap with disallowed issuers: [https://own]`,
    ],
    [
      { discoveryURL: 'https://a/' },
      `${at}.discoveryURL: Invalid value: "https://a/": discoveryURL must be different from URL`,
    ],
    [
      { certificateAuthority: 'x' },
      `${at}.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates`,
    ],
    [{ audiences: [] }, `${at}.audiences: Required value: at least one ${at}.audiences is required`],
    [{ audiences: ['a', 7] }, `${at}.audiences: Invalid value: ["a",7]: want a list of strings`],
    [{ audiences: [''] }, `${at}.audiences[0]: Required value`],
    [{ audiences: ['a', 'b'] }, `${at}.audienceMatchPolicy: Invalid value: "": ${many}`],
    [{ audienceMatchPolicy: 'All' }, `${at}.audienceMatchPolicy: Invalid value: "All": ${single}`],
  ])('the issuer %j', (more, message) => refuses(() => readJwt({ issuer: { ...issuer, ...more } }), message));

  test('a duplicate audience', () => {
    refuses(
      () => readJwt({ issuer: { ...issuer, audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' } }),
      `${at}.audiences[1]: Duplicate value: "a"`,
    );
  });

  const maps = 'jwt[0].claimMappings';
  const both = "claim and expression can't both be set";
  const reserved = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
  const keyed = (key: string) => ({ extra: [{ key, valueExpression: 'x' }] });
  test.each([
    [{ username: {} }, `${maps}.username: Required value: claim or expression is required`],
    [{ username: { claim: 'a', expression: 'b' } }, `${maps}.username: Invalid value: "": ${both}`],
    [
      { username: { claim: 'a' } },
      `${maps}.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing`,
    ],
    [
      { username: { expression: 'a', prefix: 'p' } },
      `${maps}.username.prefix: Invalid value: "p": may not be specified when expression is set`,
    ],
    [{ groups: { claim: 'a', expression: 'b' } }, `${maps}.groups: Invalid value: "": ${both}`],
    [{ uid: { claim: 'a', expression: 'b' } }, `${maps}.uid: Invalid value: "": ${both}`],
    [
      keyed('team'),
      `${maps}.extra[0].key: Invalid value: "team": must be a domain-prefixed path (such as "acme.io/foo")`,
    ],
    [keyed('acme.io/Team'), `${maps}.extra[0].key: Invalid value: "acme.io/Team": must be lowercase`],
    [keyed('k8s.io/x'), `${maps}.extra[0].key: Invalid value: "k8s.io/x": ${reserved}`],
    [keyed('a.kubernetes.io/x'), `${maps}.extra[0].key: Invalid value: "a.kubernetes.io/x": ${reserved}`],
    [{ extra: [{ key: 'acme.io/a' }] }, `${maps}.extra[0].valueExpression: Required value`],
    [
      { extra: [...keyed('acme.io/a').extra, ...keyed('acme.io/a').extra] },
      `${maps}.extra[1].key: Duplicate value: "acme.io/a"`,
    ],
  ])('the mappings %j', (more, message) => refuses(() => withMappings(more), message));

  test('a domain that merely ends like a reserved one is accepted', () => {
    expect(withMappings(keyed('notk8s.io/x')).issuers[0]?.extra).toHaveLength(1);
  });

  const rule = 'jwt[0].claimValidationRules';
  test.each([
    [[{}], `${rule}[0]: Required value: claim or expression is required`],
    [[{ claim: 'a', expression: 'b' }], `${rule}[0]: Invalid value: "a": ${both}`],
    [
      [{ claim: 'a', message: 'm' }],
      `${rule}[0].message: Invalid value: "m": may not be specified when claim is set`,
    ],
    [
      [{ expression: 'a', requiredValue: 'v' }],
      `${rule}[0].requiredValue: Invalid value: "v": may not be specified when expression is set`,
    ],
    [[{ claim: 'a' }, { claim: 'a' }], `${rule}[1].claim: Duplicate value: "a"`],
    [[{ expression: 'a' }, { expression: 'a' }], `${rule}[1].expression: Duplicate value: "a"`],
  ])('the claim rules %j', (claimValidationRules, message) =>
    refuses(() => readJwt({ claimValidationRules }), message),
  );

  const userRule = 'jwt[0].userValidationRules';
  test.each([
    [[{}], `${userRule}[0].expression: Required value`],
    [[{ expression: 'a' }, { expression: 'a' }], `${userRule}[1].expression: Duplicate value: "a"`],
  ])('the user rules %j', (userValidationRules, message) =>
    refuses(() => readJwt({ userValidationRules }), message),
  );
});
