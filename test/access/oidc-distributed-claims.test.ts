import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificates } from '../../src/auth/index.ts';
import { issuerOfFlags, makeIssuers } from '../../src/authn/index.ts';
import { systemClock, systemTimers } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { Issuer } from './oidc-provider.test-support.ts';
import { send } from './requests.ts';

/**
 * Groups that an ID token does not have, and that another service tells. Source: OpenID Connect Core 1.0, 5.6.2; apiserver,
 * plugin/pkg/authenticator/token/oidc.
 */

let endpoint: Server;
let url = '';
/** What the endpoint gives whom: by the bearer token that must come along. */
const answers = new Map<string, string>();
let asked = 0;
let issuer: Issuer;
/** The issuer of the tokens that the endpoint gives. */
let directory: Issuer;
let caPem = '';

const distributed = (accessToken: string, at: object = { endpoint: url }) => ({
  _claim_names: { groups: 'directory' },
  _claim_sources: { directory: { ...at, ...(accessToken !== '' && { access_token: accessToken }) } },
});

beforeAll(async () => {
  const certificates = await makeCertificates(['localhost'], Date.now());
  const { certPem: cert, keyPem: key } = certificates.server;
  endpoint = createServer({ cert, key }, (request, response) => {
    asked += 1;
    const found = answers.get(request.headers.authorization ?? '');
    response.statusCode = found === undefined ? 403 : 200;
    response.end(found ?? '');
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  url = `https://localhost:${(endpoint.address() as AddressInfo).port}/groups`;
  directory = await Issuer.start({ alice: { groups: ['dev', 'ops'] }, one: { groups: 'dev' }, none: {} });
  issuer = await Issuer.start({
    alice: distributed('of-alice'),
    one: distributed('of-one'),
    stranger: distributed('wrong'),
    open: distributed(''),
    none: distributed('of-none'),
    forged: distributed('of-forged'),
    text: distributed('of-text'),
    elsewhere: distributed('of-elsewhere'),
    own: { ...distributed('of-alice'), groups: ['own'] },
    aggregated: distributed('', { JWT: 'x.y.z' }),
    plain: distributed('', { endpoint: url.replace('https', 'http') }),
  });
  caPem = [issuer.caPem, directory.caPem, certificates.ca.certPem].join('\n');
  for (const name of ['alice', 'one', 'none']) answers.set(`Bearer of-${name}`, await directory.logIn(name));
  answers.set('', answers.get('Bearer of-alice') ?? '');
  const [head, payload, signature] = (answers.get('Bearer of-alice') ?? '').split('.');
  answers.set('Bearer of-forged', `${head}.${payload}.${signature?.split('').reverse().join('')}`);
  answers.set('Bearer of-text', 'no token');
  answers.set('Bearer of-elsewhere', await directory.logIn('alice', 'other'));
});
afterAll(async () => {
  for (const one of [issuer, directory]) await one[Symbol.asyncDispose]();
  endpoint.closeAllConnections();
  await new Promise((resolve) => endpoint.close(resolve));
});

/** The groups of a user, or why there is no user. */
async function judged(name: string, groupsClaim = 'groups'): Promise<unknown> {
  const config = issuerOfFlags({
    url: issuer.url,
    clientId: 'ilk',
    caPem,
    usernameClaim: 'sub',
    usernamePrefix: '-',
    groupsClaim,
    groupsPrefix: '',
    requiredClaims: [],
    algorithms: ['RS256'],
  });
  const parts = { clock: systemClock, timers: systemTimers, audiences: [], onTrouble: () => {} };
  await using server = await startServer({
    listen: false,
    remoteAuthenticators: makeIssuers([config], parts),
  });
  const token = await issuer.logIn(name);
  const path = '/apis/authentication.k8s.io/v1';
  const { status, json } = await send(server.as({ token }).fetch, 'POST', `${path}/selfsubjectreviews`, {});
  if (status === 201) return json.status.userInfo.groups;
  const review = await send(server.fetch, 'POST', `${path}/tokenreviews`, { spec: { token } });
  return review.json.status.error;
}

test.each([
  ['alice', ['dev', 'ops', 'system:authenticated']],
  ['one', ['dev', 'system:authenticated']],
  ['open', ['dev', 'ops', 'system:authenticated']],
  // Aggregated claims stand in the token; as upstream, they are not read.
  ['aggregated', ['system:authenticated']],
])('%s: the groups are fetched with the access token that the ID token names', async (name, groups) => {
  expect(await judged(name)).toEqual(groups);
});

test('groups in the ID token itself, or no groups claim: the endpoint is not called', async () => {
  const before = asked;
  expect(await judged('own')).toEqual(['own', 'system:authenticated']);
  expect(await judged('alice', 'team')).toEqual(['system:authenticated']);
  expect(asked).toBe(before);
});

const failed = 'oidc: could not expand distributed claims: ';
test.each([
  ['stranger', () => `while getting distributed claim "groups": Get "${url}": 403 Forbidden`],
  ['none', () => `jwt returned by distributed claim endpoint "${url}" did not contain claim: groups`],
  ['forged', () => 'verify distributed claim token: signature verification failed'],
  ['text', () => `getting untrusted issuer from endpoint ${url} failed for claim "groups": Invalid JWT`],
  ['elsewhere', () => 'verify distributed claim token: oidc: expected audience in ["ilk"] got ["other"]'],
  [
    'plain',
    () => `while getting distributed claim "groups": Protocol "http:" not supported. Expected "https:"`,
  ],
])('%s: who has no groups to be believed is refused', async (name, why) => {
  expect(await judged(name)).toBe(`${failed}${why()}`);
});
