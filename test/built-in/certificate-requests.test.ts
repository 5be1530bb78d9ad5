import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';

/** For CN=jane, O=team. Made with: openssl req -new -key key.pem -subj /CN=jane/O=team | base64 -w0 */
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFNTUJHcGhibVV4RFRB' +
  'TEJnTlZCQW9NQkhSbFlXMHdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVNyNy9jN2NLWHpzdDdVdVhzUmFNTVlT' +
  'YmFzOHYyUkNjTkRwS0g1CklKVFZUMjRaYTNRcU9HQlJ3Y0xmc0xySkQ4ZzR6cm9pTFNPdys0VEhSRXkxQzNjOW9BQXdDZ1lJS29a' +
  'SXpqMEUKQXdJRFNRQXdSZ0loQUtYM1pNK0FsdXZvb2dBNElmN3FWR0VvUjZlRDhsUCtXa1FBT0VoeFhWME9BaUVBb3JVQwp0SDlp' +
  'LzdLMDA2R0dTSHFiL3BZZWZLdGs2YWNaMkdyU2xCcVZSYjQ9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

function signingRequest(name: string) {
  return {
    metadata: { name },
    spec: { request, signerName: 'example.com/signer', usages: ['client auth'], username: 'somebody else' },
    status: { conditions: [{ type: 'Approved', status: 'True' }] },
  };
}

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
  api = Api.of(server);
});
afterAll(() => server.close());

async function put(name: string, endpoint: '' | '/approval' | '/status', status: unknown) {
  const { body } = await api.get(`${requests}/${name}`);
  const { code, body: answer } = await api.call('PUT', `${requests}/${name}${endpoint}`, { ...body, status });
  return code === 200 ? answer.status : answer.message.replace(/^.* is invalid: /, '');
}

test('the server sets the requester, and a new request is not approved', async () => {
  const { code, body } = await api.call('POST', requests, signingRequest('Jane_1:a'));
  expect([code, body.spec.username, body.spec.groups, body.status]).toEqual([
    201,
    'ilk-admin',
    ['system:masters', 'system:authenticated'],
    {},
  ]);
  expect(body.metadata.managedFields).toBeUndefined();
});

test('the spec stays, and the status has endpoints of its own', async () => {
  const path = `${requests}/Jane_1:a`;
  const { body } = await api.get(path);
  body.spec.signerName = 'example.com/other';
  body.metadata.labels = { a: 'b' };
  body.status = { certificate: 'eA==' };
  const changed = await api.call('PUT', path, body);
  expect([changed.code, changed.body.spec.signerName, changed.body.status]).toEqual([
    200,
    'example.com/signer',
    {},
  ]);
  expect(changed.body.metadata.labels).toEqual({ a: 'b' });
});

const approved = { type: 'Approved', status: 'True', reason: 'Known' };
const both = '{conditions[{\\"type\\": \\"Approved\\"}], conditions[{\\"type\\": \\"Denied\\"}]}';
const atMostOne =
  'must specify at most one of: `conditions[{"type": "Approved"}]`, `conditions[{"type": "Denied"}]`';

test.each<['/approval' | '/status', unknown, string]>([
  [
    '/status',
    { conditions: [approved] },
    'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
  ],
  [
    '/approval',
    { conditions: [{ type: 'Approved', status: 'False' }] },
    'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
  ],
  ['/approval', { conditions: [{ type: 'Approved' }] }, 'status.conditions[0].status: Required value'],
  [
    '/approval',
    { conditions: [{ type: '', status: 'X' }] },
    '[status.conditions[0].type: Required value, status.conditions[0].status: Unsupported value: "X": ' +
      'supported values: "False", "True", "Unknown"]',
  ],
  [
    '/approval',
    { conditions: [approved, { type: 'Denied', status: 'True' }] },
    `status.conditions: Invalid value: "${both}": ${atMostOne}`,
  ],
  [
    '/approval',
    { conditions: [approved, approved] },
    'status.conditions[1].type: Duplicate value: "Approved"',
  ],
  [
    '/status',
    { certificate: 'eA==' },
    'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
  ],
])('%s: %j: %s', async (endpoint, status, said) => {
  expect(await put('Jane_1:a', endpoint, status)).toBe(said);
});

describe('approved', () => {
  const pem = (type: string, body = 'aGVsbG8=') =>
    Buffer.from(`-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`).toString('base64');
  beforeAll(async () => {
    await api.call('POST', requests, signingRequest('approved'));
    const { conditions } = await put('approved', '/approval', {
      conditions: [approved],
      certificate: 'eA==',
    });
    const time = expect.stringMatching(/Z$/);
    expect(conditions).toEqual([{ ...approved, lastUpdateTime: time, lastTransitionTime: time }]);
  });

  test.each<['/approval' | '/status', unknown, string]>([
    ['/approval', {}, 'status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
    ['/status', {}, 'status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
    [
      '/status',
      { conditions: [approved], certificate: pem('KEY') },
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "KEY"',
    ],
    [
      '/status',
      { conditions: [approved], certificate: pem('CERTIFICATE', 'A: b\n\naGVsbG8=') },
      'status.certificate: Invalid value: "<certificate data>": no PEM block headers are permitted',
    ],
    [
      '/status',
      { conditions: [approved], certificate: pem('CERTIFICATE') },
      'status.certificate: Invalid value: "<certificate data>": x509: malformed certificate',
    ],
    [
      '/status',
      { conditions: [approved, { type: 'Failed', status: 'Unknown' }] },
      'status.conditions[1].status: Unsupported value: "Unknown": supported values: "True"',
    ],
  ])('%s: %j: %s', async (endpoint, status, said) => {
    expect(await put('approved', endpoint, status)).toBe(said);
  });

  test('the certificate comes once, and stays', async () => {
    const ca = Buffer.from(server.caPem ?? '').toString('base64');
    const issued = await put('approved', '/status', { conditions: [approved], certificate: ca });
    expect(issued.certificate).toBe(ca);
    const text = 'status.certificate: Forbidden: updates may not modify existing certificate content';
    expect(await put('approved', '/status', { conditions: [approved] })).toBe(text);
  });
});

test('selectors name the signer', async () => {
  const named = (signer: string) => api.get(`${requests}?fieldSelector=spec.signerName%3D${signer}`);
  expect((await named('example.com/signer')).body.items.length).toBeGreaterThan(0);
  expect((await named('example.com/other')).body.items).toEqual([]);
  const other = await api.get(`${requests}?fieldSelector=spec.username%3Djane`);
  expect([other.code, other.body.message]).toEqual([400, 'field label not supported: spec.username']);
});

test.skipIf(kubectlMinor === undefined)('kubectl approves and denies', async () => {
  using kubectl = new Kubectl(server.kubeconfigPath);
  for (const name of ['yes', 'no', 'open']) await api.call('POST', requests, signingRequest(name));
  const said = async (words: string) => (await kubectl.run(words)).out;
  expect(await said('certificate approve yes')).toBe(
    'certificatesigningrequest.certificates.k8s.io/yes approved\n',
  );
  expect(await said('certificate deny no')).toBe('certificatesigningrequest.certificates.k8s.io/no denied\n');
  expect((await said('get csr yes no open')).replace(/ +/g, ' ')).toMatch(
    new RegExp(
      [
        '^NAME AGE SIGNERNAME REQUESTOR REQUESTEDDURATION CONDITION',
        'yes \\d+s example.com/signer ilk-admin <none> Approved',
        'no \\d+s example.com/signer ilk-admin <none> Denied',
        'open \\d+s example.com/signer ilk-admin <none> Pending\n$',
      ].join('\n'),
    ),
  );
});
