import { Agent, request } from 'node:https';
import { decodeYaml } from '../../codec/index.ts';
import { isObject, type JsonObject, own, ownList, ownObject, ownString } from '../../meta/index.ts';
import type { Fetch } from '../../client/index.ts';

/** The contents of a kubeconfig, as `ilk serve` and `ilk user add` write it. */
interface AdminAccess {
  readonly server: string;
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
  /** Empty for users with a certificate. */
  readonly token: string;
}

/** @throws {Error} for a kubeconfig that `ilk serve` did not write */
export function readAdminAccess(path: string, text: string): AdminAccess {
  const { value } = decodeYaml(Buffer.from(text));
  const config = isObject(value) ? value : {};
  const cluster = firstOf(config, 'clusters', 'cluster');
  const user = firstOf(config, 'users', 'user');
  const server = ownString(cluster, 'server') ?? '';
  if (!server.startsWith('https://')) throw new Error(`${path}: it names no https:// server`);
  const pem = (object: JsonObject, key: string) =>
    Buffer.from(ownString(object, key) ?? '', 'base64').toString();
  return {
    server,
    caPem: pem(cluster, 'certificate-authority-data'),
    certPem: pem(user, 'client-certificate-data'),
    keyPem: pem(user, 'client-key-data'),
    token: ownString(user, 'token') ?? '',
  };
}

function firstOf(config: JsonObject, list: string, key: string): JsonObject {
  const [first] = ownList(config, list) ?? [];
  return (isObject(first) && isObject(own(first, key)) && ownObject(first, key)) || {};
}

/** Sends requests as the user of a kubeconfig; one connection for each request. */
export function adminFetch({ server, caPem, certPem, keyPem, token }: AdminAccess): Fetch {
  const agent = new Agent({ ca: caPem, ...(certPem !== '' && { cert: certPem, key: keyPem }) });
  return (path, init = {}) =>
    new Promise((resolve, reject) => {
      const body = typeof init.body === 'string' || init.body instanceof Uint8Array ? init.body : undefined;
      const headers = Object.fromEntries(new Headers(init.headers));
      if (token !== '') headers['authorization'] = `Bearer ${token}`;
      const options = { agent, method: init.method ?? 'GET', headers, timeout: 10_000 };
      const sent = request(`${server}${path}`, options, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve(new Response(Buffer.concat(pieces), { status: answer.statusCode ?? 500 })),
        );
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer within 10 s')));
      sent.on('error', reject);
      sent.end(body);
    });
}
