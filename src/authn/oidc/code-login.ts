import { decodeJwt } from 'jose';
import { isObject, type JsonObject, type JsonValue, limits, ownString } from '../../meta/index.ts';
import { postForm } from '../get-json.ts';
import { addressIn, discoverIssuer } from './discover-issuer.ts';

/** The OAuth client of the console at an issuer. */
interface CodeLoginOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** CAs that verify the issuer, as PEM; undefined means the system CAs. */
  readonly caPem: string | undefined;
  readonly scopes: readonly string[];
  /** Called with the reason of a failed login. */
  readonly onTrouble: (error: unknown) => void;
}

/** The parameters of one login. */
interface LoginRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The digest of the verifier (PKCE). */
  readonly challenge: string;
}

interface CodeReply {
  readonly code: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Signs users in at an issuer by the authorization code flow with PKCE. The result is an ID token, which is authenticated like any
 * other.
 *
 * Source: OpenID Connect Core 1.0, 3.1; RFC 7636.
 */
export class CodeLogin {
  readonly #options: CodeLoginOptions;
  #configuration: Promise<JsonObject> | undefined;

  constructor(options: CodeLoginOptions) {
    this.#options = options;
  }

  /** The host of the issuer, which the sign-in page shows. */
  get name(): string {
    return new URL(this.#options.issuerUrl).host;
  }

  /** The URL of the issuer's login page; undefined if the issuer does not respond. */
  async address({ redirectUri, state, nonce, challenge }: LoginRequest): Promise<string | undefined> {
    const { clientId, scopes } = this.#options;
    return this.#tried(async (configuration) => {
      const url = new URL(addressIn(configuration, 'authorization_endpoint'));
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return url.href;
    });
  }

  /** The ID token for a code; undefined if the issuer returns none, or one for another login. */
  async redeem({ code, redirectUri, nonce, verifier }: CodeReply): Promise<string | undefined> {
    const { clientId, clientSecret, caPem } = this.#options;
    const { issuerTimeoutMs: timeoutMs, issuerDocumentBytesMax: bytesMax } = limits;
    return this.#tried(async (configuration) => {
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...(clientSecret === '' ? { client_id: clientId } : {}),
      });
      const authorization = clientSecret === '' ? '' : basic(clientId, clientSecret);
      const endpoint = addressIn(configuration, 'token_endpoint');
      const text = await postForm(endpoint, form, { caPem, timeoutMs, bytesMax, authorization });
      const answer: JsonValue = JSON.parse(text);
      const token = isObject(answer) ? (ownString(answer, 'id_token') ?? '') : '';
      if (decodeJwt(token)['nonce'] !== nonce) throw new Error('oidc: the ID token is for another login');
      return token;
    });
  }

  async #tried<T>(work: (configuration: JsonObject) => Promise<T>): Promise<T | undefined> {
    try {
      const { issuerUrl: url, caPem } = this.#options;
      this.#configuration ??= discoverIssuer({ url, discoveryUrl: undefined, caPem });
      return await work(await this.#configuration);
    } catch (error) {
      // Discover again: the issuer may have moved, or was not running yet.
      this.#configuration = undefined;
      this.#options.onTrouble(error);
      return undefined;
    }
  }
}

/** Both are encoded as in forms. Source: RFC 6749, 2.3.1. */
function basic(id: string, secret: string): string {
  const [user, password] = [id, secret].map((text) => new URLSearchParams({ t: text }).toString().slice(2));
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
