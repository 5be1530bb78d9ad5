import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SizedServer, startSizedServer } from './sized-server.ts';
import { wireCases, wireClients } from './wire-clients.ts';

const requests = 75;

let secure: SizedServer;
let plain: SizedServer;
beforeAll(async () => {
  secure = await startSizedServer({ tls: true });
  plain = await startSizedServer({ tls: false });
});
afterAll(() => Promise.all([secure.listening.close(), plain.listening.close()]));

const ways = wireClients.flatMap((client) => [
  [client.name, 'TLS', client] as const,
  // HTTP/2 without TLS is not served.
  ...(client.over === 'HTTP/1.1' ? [[client.name, 'plain', client] as const] : []),
]);

describe.each(ways)('%s, %s', (_, kind, client) => {
  test('every request is answered, whatever the size of its body and its answer', async (context) => {
    const { port, caPem = '' } = kind === 'TLS' ? secure : plain;
    const result = await client.run({ port, ca: caPem, connections: 3, cases: wireCases(requests) });
    context.skip(result === undefined, 'this machine does not have the client');
    expect(result).toEqual({ lostCount: 0, lost: [] });
  });
});
