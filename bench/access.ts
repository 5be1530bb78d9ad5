import { type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditPolicy, Auditor, LogFile } from '../src/audit/index.ts';
import {
  AccessRules,
  type Authenticator,
  type Authorizer,
  type Credentials,
  policyRule,
  RbacAuthorizer,
} from '../src/auth/index.ts';
import { issuerOfFlags, makeIssuers } from '../src/authn/index.ts';
import type { InProcessFetch } from '../src/http/index.ts';
import { systemClock, systemTimers, type UserInfo } from '../src/meta/index.ts';
import { startServer } from '../src/server.ts';
import { startIssuer } from './access/issuer.ts';
import { adminTls, type Served, startIlk } from './http/served.ts';

const rounds = 9;
const decisions = 200_000;
const gets = 3_000;
const tokens = 300;
const creates = 1_000;
const maps = '/api/v1/namespaces/default/configmaps';
const path = `${maps}/one`;
const auditPolicy = '{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}';
const data = { text: 'x'.repeat(1_000) };

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Microseconds of processor time for one call: others may work on the same machine. */
async function cpuUs(count: number, run: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Both in turns, so that what else the machine does strikes both. The first round warms up. */
async function compared(count: number, a: () => Promise<void> | void, b: () => Promise<void> | void) {
  const [floors, times]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const [floor, time] = [await cpuUs(count, a), await cpuUs(count, b)];
    if (round === 0) continue;
    floors.push(floor);
    times.push(time);
  }
  return [median(floors), median(times)] as const;
}

/** One binding of the user, and others that give other users the same role. */
function rulesWith(bindings: number): AccessRules {
  const rules = new AccessRules();
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
  rules.putRole('', 'reader', [policyRule(rule)]);
  for (let index = 0; index < bindings; index += 1) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' };
    const subjects = [{ kind: 'User', name: `user-${index}`, namespace: '' }];
    rules.putBinding({ namespace: 'default', name: `binding-${index}`, roleRef, subjects });
  }
  return rules;
}

const userOf = (name: string): UserInfo => ({ name, groups: ['system:authenticated'] });

/** Decides so often; as another user object each time where nothing may be remembered. */
function decide(authorizer: Authorizer, isNew: boolean): void {
  const resource = { group: '', version: 'v1', resource: 'configmaps', subresource: '', name: 'one' };
  let user = userOf('user-7');
  for (let index = 0; index < decisions; index += 1) {
    if (isNew) user = userOf('user-7');
    const attributes = { user, verb: 'get', path, resource: { ...resource, namespace: 'default' } };
    const decision = authorizer.authorize(attributes);
    if (decision instanceof Promise || decision.verdict !== 'allow') throw new Error('not allowed');
  }
}

const authorizerWith = (bindings: number) =>
  new RbacAuthorizer({ rules: rulesWith(bindings), loading: () => undefined });

async function getOften(fetch: InProcessFetch): Promise<void> {
  for (let index = 0; index < gets; index += 1) {
    const response = await fetch(path);
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
  }
}

async function post(fetch: InProcessFetch, to: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(await response.text());
}

/** Prints a comparison of processor times: the floor, ours, and how long ours takes. */
type Print = (line: string) => void;

const longer = (name: string, a: number, b: number) =>
  `| ${name} | ${a.toFixed(2)} us | ${b.toFixed(2)} us | ${(b / a).toFixed(2)} x as long |`;

const rate = (name: string, a: number, b: number) =>
  `| ${name} | ${a.toFixed(0)} us | ${b.toFixed(0)} us | rate ${(a / b).toFixed(2)} x |`;

async function compareDecisions(print: Print): Promise<void> {
  const [few, many] = [authorizerWith(10), authorizerWith(10_000)];
  for (const [name, isNew] of [
    ['a user who was seen before', false],
    ['a user who was not', true],
  ] as const) {
    const [a, b] = await compared(
      decisions,
      () => decide(few, isNew),
      () => decide(many, isNew),
    );
    print(longer(`decision with 10,000 bindings, against 10; ${name}`, a, b));
  }
}

/** Requests of a user against those of a master, in process. */
async function compareUsers(print: Print): Promise<void> {
  await using server = await startServer({ listen: false });
  await post(server.fetch, maps, { metadata: { name: 'one' }, data });
  const apiGroup = 'rbac.authorization.k8s.io';
  await post(server.fetch, `/apis/${apiGroup}/v1/namespaces/default/rolebindings`, {
    metadata: { name: 'alice' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup, kind: 'User', name: 'alice' }],
  });
  const master = server.as({ name: 'root', groups: ['system:masters'] }).fetch;
  const alice = server.as({ name: 'alice' }).fetch;
  const [a, b] = await compared(
    gets,
    () => getOften(master),
    () => getOften(alice),
  );
  print(rate('GET of a 1 KB object by a user with the role view, against a master', a, b));
}

/** Tokens of an issuer; the floor of a new one is the check of its signature alone. */
async function compareTokens(print: Print): Promise<void> {
  await using issuer = await startIssuer();
  const config = issuerOfFlags({
    url: issuer.url,
    clientId: 'ilk',
    caPem: issuer.caPem,
    usernameClaim: 'sub',
    usernamePrefix: undefined,
    groupsClaim: 'groups',
    groupsPrefix: 'oidc:',
    requiredClaims: [],
    algorithms: ['RS256'],
  });
  const fail = (error: unknown) => {
    throw error;
  };
  const parts = { clock: systemClock, timers: systemTimers, audiences: [], onTrouble: fail };
  const [made] = makeIssuers([config], parts);
  if (made === undefined) throw new Error('no issuer');
  const total = (rounds + 1) * tokens;
  const fresh = await Promise.all(Array.from({ length: total }, (_, index) => issuer.sign(`user-${index}`)));
  const checked = await issuer.sign('checked');
  const [a, b] = await compared(
    tokens,
    () => checkOften(checked, issuer.publicKey),
    async () => {
      for (const token of fresh.splice(0, tokens)) await authenticate(made, token);
    },
  );
  print(longer('an ID token that is new, against the check of its signature', a, b));
  await authenticate(made, checked);
  const seen = () => {
    for (let index = 0; index < decisions; index += 1) {
      const found = made.authenticate(credentialsOf(checked));
      if (found instanceof Promise || found === undefined) throw new Error('not remembered');
    }
  };
  const [, known] = await compared(decisions, () => {}, seen);
  print(`| an ID token that was seen before | - | ${known.toFixed(2)} us | |`);
  made.close();
}

const credentialsOf = (bearerToken: string): Credentials => ({
  bearerToken,
  certificate: undefined,
  path,
  header: () => undefined,
  headersFrom: () => [],
});

async function authenticate(issuer: Authenticator, token: string): Promise<void> {
  const found = await issuer.authenticate(credentialsOf(token));
  if (found === undefined) throw new Error('not authenticated');
}

function checkOften(token: string, key: KeyObject): void {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(`${header}.${payload}`);
  for (let index = 0; index < tokens; index += 1) {
    if (!verify('sha256', bytes, key, Buffer.from(signature, 'base64url'))) throw new Error('bad signature');
  }
}

/** Creates with an event for the arrival and one for the answer of each, against creates without: in process, into memory. */
async function compareAuditInProcess(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-audit-'));
  const path = join(folder, 'audit.log');
  const options = { path, bytesMax: 100 * 1024 * 1024, backupsMax: 1, ageMsMax: 0, clock: systemClock };
  const onTrouble = (error: unknown) => console.error(error);
  const policy = AuditPolicy.parse(auditPolicy);
  const auditor = new Auditor({ policy, backends: [new LogFile(options)], clock: systemClock, onTrouble });
  try {
    await using none = await startServer({ listen: false });
    await using audited = await startServer({ listen: false, auditor });
    const [a, b] = await compared(
      creates,
      () => createOften(none.fetch),
      () => createOften(audited.fetch),
    );
    print(rate('create in process with audit at Metadata to a file, against none', a, b));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let made = 0;
async function createOften(fetch: InProcessFetch): Promise<void> {
  for (let index = 0; index < creates; index += 1) {
    made += 1;
    await post(fetch, maps, { metadata: { name: `map-${made}` }, data });
  }
}

/** The same creates by clients over TLS, durable: the processor time of the server. */
async function compareAuditServed(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-audit-'));
  writeFileSync(join(folder, 'policy.yaml'), auditPolicy);
  const flags = [
    `--audit-policy-file=${join(folder, 'policy.yaml')}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
  ];
  const servers = [
    await startIlk(join(folder, 'none')),
    await startIlk(join(folder, 'audited'), ...flags),
  ] as const;
  const times: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const at of [0, 1] as const) {
        const served = servers[at];
        const before = cpuMs(served);
        await createOver(served.port, join(folder, at === 0 ? 'none' : 'audited'));
        if (round > 0) times[at].push(((cpuMs(served) - before) * 1_000) / creates);
      }
    }
    const [a, b] = [median(times[0]), median(times[1])];
    print(rate('durable create over TLS with audit at Metadata to a file, against none', a, b));
  } finally {
    for (const served of servers) await served.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Creates with 16 in flight. */
async function createOver(port: number, dataDir: string): Promise<void> {
  const { ca, cert, key } = adminTls(dataDir);
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca, cert, key });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      made += 1;
      const headers = { 'content-type': 'application/json' };
      const options = { host: '127.0.0.1', port, path: maps, method: 'POST', headers, agent };
      const call = request(options, (response) => {
        if (response.statusCode !== 201) reject(new Error(`${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      call.on('error', reject).end(JSON.stringify({ metadata: { name: `map-${made}` }, data }));
    });
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let index = 0; index < creates / 16; index += 1) await one();
    }),
  );
  agent.destroy();
}

/** Milliseconds of processor time that a process has used. */
function cpuMs({ child }: Served): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What it costs to know users, to ask what they may do, and to write down what they did. */
export async function run(print: Print): Promise<void> {
  print('| what | floor | ours | ratio |\n|---|---|---|---|');
  await compareDecisions(print);
  await compareUsers(print);
  await compareTokens(print);
  await compareAuditInProcess(print);
  await compareAuditServed(print);
}
