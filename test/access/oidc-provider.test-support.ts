import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { type Certificates, makeCertificates } from '../../src/auth/index.ts';

/** What a person is, as the issuer knows it. */
type Person = Readonly<Record<string, unknown>>;

interface Reply {
  readonly status: number;
  readonly location: string;
  readonly body: string;
}

const redirect = 'https://client.test/callback';

/** A real issuer of OpenID Connect, over TLS, with people who log in by their name. */
export class Issuer implements AsyncDisposable {
  readonly url: string;
  readonly caPem: string;
  readonly #server: Server;
  readonly #people: Readonly<Record<string, Person>>;
  readonly #redirects = [redirect];

  private constructor(server: Server, certificates: Certificates, people: Readonly<Record<string, Person>>) {
    this.#server = server;
    this.#people = people;
    const { port }: AddressInfo = server.address() as AddressInfo;
    this.url = `https://localhost:${port}`;
    this.caPem = certificates.ca.certPem;
  }

  static async start(people: Readonly<Record<string, Person>>): Promise<Issuer> {
    const certificates = await makeCertificates(['localhost'], Date.now());
    const { certPem: cert, keyPem: key } = certificates.server;
    const server = createServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new Issuer(server, certificates, people);
    await issuer.rotateKeys();
    return issuer;
  }

  /** Lets the client `ilk` send people to another address. */
  async allowRedirect(uri: string): Promise<void> {
    this.#redirects.push(uri);
    await this.rotateKeys();
  }

  /** From now on tokens are signed with a new key. */
  async rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: `key-${Date.now()}` };
    const provider = new Provider(this.url, {
      jwks: { keys: [key as never] },
      clients: [
        { client_id: 'ilk', client_secret: 'secret', redirect_uris: this.#redirects },
        { client_id: 'other', client_secret: 'secret', redirect_uris: [redirect] },
      ],
      claims: { openid: ['sub', 'email', 'email_verified', 'groups', 'team'] },
      conformIdTokenClaims: false,
      pkce: { required: () => false },
      ttl: { IdToken: 600, AccessToken: 600, Grant: 600, Session: 600, Interaction: 600 },
      cookies: { keys: ['a key'] },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...this.#people[id] }) }),
    });
    this.#server.removeAllListeners('request');
    this.#server.on('request', provider.callback());
  }

  /** The ID token after a login with consent. */
  async logIn(name: string, clientId = 'ilk'): Promise<string> {
    const jar = new Map<string, string>();
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirect,
      scope: 'openid',
    });
    let reply = await this.#send('GET', `/auth?${query}`, jar);
    while (!reply.location.startsWith(redirect)) {
      const isForm = reply.location.includes('/interaction/');
      reply = isForm
        ? await this.#agree(reply.location, name, jar)
        : await this.#send('GET', reply.location, jar);
      if (reply.location === '') throw new Error(`the issuer did not go on: ${reply.status} ${reply.body}`);
    }
    const code = new URL(reply.location).searchParams.get('code') ?? '';
    const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirect });
    const authorization = `Basic ${Buffer.from(`${clientId}:secret`).toString('base64')}`;
    const { body } = await this.#send('POST', '/token', jar, form, { authorization });
    return JSON.parse(body).id_token;
  }

  async #agree(location: string, name: string, jar: Map<string, string>): Promise<Reply> {
    const page = await this.#send('GET', location, jar);
    const prompt = /name="prompt" value="([a-z]+)"/.exec(page.body)?.[1] ?? '';
    const form = new URLSearchParams({ prompt, login: name, password: 'any' });
    return this.#send('POST', location, jar, form);
  }

  #send(
    method: string,
    place: string,
    jar: Map<string, string>,
    form?: URLSearchParams,
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const url = new URL(place, this.url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    return new Promise((resolve, reject) => {
      const options = {
        method,
        ca: this.caPem,
        agent: false,
        headers: { cookie, ...type, ...more },
      } as const;
      const sent = request(url, options, async (answer) => {
        for (const line of answer.headers['set-cookie'] ?? []) {
          const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          jar.set(key, value);
        }
        let body = '';
        for await (const piece of answer.setEncoding('utf8')) body += piece;
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '', body });
      });
      sent.on('error', reject);
      sent.end(form?.toString());
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
