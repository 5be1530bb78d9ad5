import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IssuersParts,
  issuerOfFlags,
  makeIssuers,
  readAuthenticationConfiguration,
} from '../../src/authn/index.ts';
import { systemTimers } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { Issuer } from './oidc-provider.test-support.ts';
import { send } from './requests.ts';

/** Users of an issuer of OpenID Connect. Source: apiserver, plugin/pkg/authenticator/token/oidc. */

const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';

let nowMs = Date.now();
const parts: IssuersParts = {
  clock: { now: () => nowMs },
  timers: systemTimers,
  audiences: ['ilk-api'],
  onTrouble: () => {},
};

let issuer: Issuer;
let alice: string;
beforeAll(async () => {
  issuer = await Issuer.start({
    alice: { email: 'alice@example.com', email_verified: true, groups: ['dev', 'ops'], team: 'blue' },
    bob: { email: 'bob@example.com', email_verified: false, groups: 'dev' },
  });
  alice = await issuer.logIn('alice');
});
afterAll(() => issuer[Symbol.asyncDispose]());

const serverOf = async (issuers: Parameters<typeof makeIssuers>[0]) =>
  startServer({ listen: false, remoteAuthenticators: makeIssuers(issuers, parts), clock: parts.clock });

const flags = (more: Partial<Parameters<typeof issuerOfFlags>[0]> = {}) =>
  issuerOfFlags({
    url: issuer.url,
    clientId: 'ilk',
    caPem: issuer.caPem,
    usernameClaim: 'sub',
    usernamePrefix: undefined,
    groupsClaim: 'groups',
    groupsPrefix: 'oidc:',
    requiredClaims: [],
    algorithms: ['RS256'],
    ...more,
  });

/** The user behind a token, or why there is none. */
async function judged(configs: Parameters<typeof makeIssuers>[0], token: string) {
  await using server = await serverOf(configs);
  const { status, json } = await send(server.as({ token }).fetch, 'POST', whoami, {});
  if (status === 201) return json.status.userInfo;
  const review = await send(server.fetch, 'POST', reviews, { spec: { token } });
  return review.json.status.error;
}

describe('the flags --oidc-*', () => {
  test('a user is named after the issuer, with groups', async () => {
    expect(await judged([flags()], alice)).toMatchObject({
      username: `${issuer.url}#alice`,
      groups: ['oidc:dev', 'oidc:ops', 'system:authenticated'],
    });
    expect(await judged([flags({ usernamePrefix: '-' })], alice)).toMatchObject({ username: 'alice' });
    expect(await judged([flags({ usernamePrefix: 'corp:' })], alice)).toMatchObject({
      username: 'corp:alice',
    });
  });

  test('an address is no name before it is verified', async () => {
    const byEmail = flags({ usernameClaim: 'email' });
    expect(await judged([byEmail], alice)).toMatchObject({ username: 'alice@example.com' });
    expect(await judged([byEmail], await issuer.logIn('bob'))).toBe('oidc: email not verified');
  });

  test.each<[string, Partial<Parameters<typeof issuerOfFlags>[0]>, string]>([
    ['for another client', { clientId: 'else' }, 'oidc: expected audience in ["else"] got ["ilk"]'],
    [
      'without a claim that is required',
      { requiredClaims: [['level', '3']] },
      'oidc: required claim level not present in ID token',
    ],
    [
      'with another value of it',
      { requiredClaims: [['team', 'red']] },
      'oidc: required claim team value does not match. Got = blue, want = red',
    ],
    [
      'without the claim of the name',
      { usernameClaim: 'nick' },
      'oidc: parse username claims "nick": claim not present',
    ],
    [
      'with a signature that is not believed',
      { algorithms: ['ES256'] },
      'oidc: verify token: "alg" (Algorithm) Header Parameter value not allowed',
    ],
  ])('a token %s is refused', async (_, more, error) => {
    expect(await judged([flags(more)], alice)).toBe(error);
  });

  test('an untrusted issuer authenticates no user', async () => {
    expect(await judged([flags({ caPem: undefined })], alice)).toBe('oidc: authenticator not initialized');
  });

  test('a modified token, or one of another issuer', async () => {
    const [head, payload = '', signature] = alice.split('.');
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'root' };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await judged([flags()], `${head}.${forged}.${signature}`)).toBe(
      'oidc: verify token: signature verification failed',
    );
    await using other = await Issuer.start({ alice: {} });
    expect(await judged([flags()], await other.logIn('alice'))).toBe('invalid bearer token');
  });

  test('keys that are new are read again; a token ends with its time, and watches with it', async () => {
    await using server = await serverOf([flags()]);
    const status = async (token: string) =>
      (await send(server.as({ token }).fetch, 'POST', whoami, {})).status;
    expect(await status(alice)).toBe(201);
    nowMs += 700_000;
    expect(await status(alice)).toBe(401);
    nowMs -= 700_000;
    await issuer.rotateKeys();
    const later = await issuer.logIn('alice');
    await expect.poll(() => status(later), { interval: 200 }).toBe(201);
  });
});

const configuration = (jwt: string, more = '') => `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
${more}
jwt:
- issuer:
    url: ${issuer.url}
    certificateAuthority: ${JSON.stringify(issuer.caPem)}
    audiences: [ilk, else]
    audienceMatchPolicy: MatchAny
${jwt.replaceAll(/^/gm, '  ')}`;

const read = (text: string) => readAuthenticationConfiguration(text, ['https://own']);

describe('an AuthenticationConfiguration', () => {
  test('maps claims by expressions, and judges them and the user', async () => {
    const { issuers } = read(
      configuration(`
claimValidationRules:
- claim: team
  requiredValue: blue
- expression: claims.exp - claims.iat <= 3600
  message: too long
claimMappings:
  username: {expression: "claims.email_verified ? claims.email : 'nobody'"}
  groups: {expression: "claims.groups.map(g, 'corp/' + g)"}
  uid: {claim: sub}
  extra:
  - {key: example.com/team, valueExpression: claims.team}
  - {key: example.com/none, valueExpression: "''"}
userValidationRules:
- expression: "!user.username.startsWith('system:')"
  message: no name of the system
`),
    );
    const token = await issuer.logIn('alice');
    expect(await judged(issuers, token)).toMatchObject({
      username: 'alice@example.com',
      uid: 'alice',
      groups: ['corp/dev', 'corp/ops', 'system:authenticated'],
      extra: { 'example.com/team': ['blue'] },
    });
  });

  test.each([
    [
      'a claim rule',
      `claimValidationRules:\n- {expression: "claims.team == 'red'", message: only red}\nclaimMappings: {username: {claim: sub, prefix: ''}}`,
      "oidc: error evaluating claim validation expression: validation expression 'claims.team == 'red'' failed: only red",
    ],
    [
      'a rule of users',
      `claimMappings: {username: {claim: sub, prefix: 'system:'}}\nuserValidationRules:\n- {expression: "!user.username.startsWith('system:')", message: reserved}`,
      "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('system:')' failed: reserved",
    ],
    [
      'an expression that fails',
      'claimMappings: {username: {expression: claims.nick}}',
      "oidc: error evaluating username claim expression: expression 'claims.nick' resulted in error: no such key: nick",
    ],
    [
      'a name that is no text',
      'claimMappings: {username: {expression: claims.exp}}',
      'oidc: error evaluating username claim expression: username claim expression must return a string',
    ],
  ])('%s keeps a token out, and says why', async (_, jwt, error) => {
    const token = await issuer.logIn('alice');
    expect(await judged(read(configuration(jwt)).issuers, token)).toBe(error);
  });

  test('several issuers', async () => {
    await using second = await Issuer.start({ carol: {} });
    const other = flags({ url: second.url, caPem: second.caPem, usernamePrefix: '-' });
    expect(await judged([flags(), other], await second.logIn('carol'))).toMatchObject({ username: 'carol' });
  });

  test('lets anonymous requests ask for some paths', async () => {
    const { anonymous } = read(
      configuration(
        'claimMappings: {username: {claim: sub, prefix: x}}',
        'anonymous: {enabled: true, conditions: [{path: /livez}]}',
      ),
    );
    expect(anonymous).toEqual({ enabled: true, paths: ['/livez'] });
    await using server = await startServer({
      anonymousAuth: true,
      anonymousPaths: anonymous?.paths ?? [],
    });
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(401);
  });

  test.each([
    [
      'kind: Pod',
      'want kind AuthenticationConfiguration of apiserver.config.k8s.io/v1, got Pod of no apiVersion',
    ],
    [
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: http://x, audiences: []}\n  claimMappings: {username: {claim: sub}}',
      '[jwt[0].issuer.url: Invalid value: "http://x": URL scheme must be https, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing]',
    ],
    [
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: https://own, audiences: [a]}\n  claimMappings: {username: {expression: claims.sub}, extra: [{key: k8s.io/x, valueExpression: "1"}]}',
      '[jwt[0].issuer.url: Invalid value: "https://own": URL must not overlap with disallowed issuers: [https://own], jwt[0].claimMappings.extra[0].key: Invalid value: "k8s.io/x": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use]',
    ],
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test.each([
    ['claims.email', 'claims.email_verified must be used in'],
    ['claims.sub +', 'compilation failed: ERROR: <input>:1:13: Syntax error'],
  ])('the expression %j of the name is refused', (expression, message) => {
    const { issuers } = read(configuration(`claimMappings: {username: {expression: "${expression}"}}`));
    expect(() => makeIssuers(issuers, parts)).toThrow(message);
  });
});
