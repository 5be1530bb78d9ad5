import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { limits, type Timers } from '../../meta/index.ts';
import { getDocument } from '../get-json.ts';
import { addressIn, discoverIssuer } from './discover-issuer.ts';
import type { IssuerConfig } from './issuer-config.ts';

interface IssuerKeysOptions {
  readonly timers: Timers;
  /** Called with the reason each time the issuer cannot be reached. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The published keys of an issuer. Its discovery document is requested until it is found; the keys are fetched again
 * periodically, and when a token names an unknown key.
 * Source: apiserver, token/oidc; github.com/coreos/go-oidc.
 */
export class IssuerKeys {
  readonly #config: IssuerConfig;
  readonly #options: IssuerKeysOptions;
  #keys: JWTVerifyGetKey | undefined;
  #looking: Promise<void> | undefined;
  #endRetry: () => void = () => {};
  #closed = false;

  constructor(config: IssuerConfig, options: IssuerKeysOptions) {
    this.#config = config;
    this.#options = options;
    void this.#look();
  }

  /** The keys; undefined until the issuer has responded. */
  async find(): Promise<JWTVerifyGetKey | undefined> {
    await this.#looking;
    return this.#keys;
  }

  close(): void {
    this.#closed = true;
    this.#endRetry();
  }

  #look(): Promise<void> {
    this.#looking = this.#discover().then(
      (uri) => {
        this.#keys = this.#remoteKeys(uri);
      },
      (error: unknown) => {
        this.#options.onTrouble(error);
        if (this.#closed) return;
        this.#endRetry = this.#options.timers.after(limits.issuerRetryMs, () => void this.#look());
      },
    );
    return this.#looking;
  }

  /** @throws {Error} if the issuer does not respond, or the document names another issuer */
  async #discover(): Promise<string> {
    return addressIn(await discoverIssuer(this.#config), 'jwks_uri');
  }

  #get(url: string): Promise<string> {
    const { caPem } = this.#config;
    const { issuerTimeoutMs: timeoutMs, issuerDocumentBytesMax: bytesMax } = limits;
    return getDocument(url, { caPem, timeoutMs, bytesMax });
  }

  #remoteKeys(uri: string): JWTVerifyGetKey {
    return createRemoteJWKSet(new URL(uri), {
      cooldownDuration: limits.issuerKeysCooldownMs,
      cacheMaxAge: limits.issuerKeysAgeMsMax,
      timeoutDuration: limits.issuerTimeoutMs,
      [customFetch]: async (url) => new Response(await this.#get(url)),
    });
  }
}
