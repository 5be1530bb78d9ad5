import {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type TlsOptions,
} from 'node:tls';

/** A certificate and its names. */
export interface NamedPair {
  /** `ilk.example.com`, `*.example.com`; in lower case. */
  readonly names: readonly string[];
  readonly cert: string;
  readonly key: string;
}

/** The TLS options of a port, as PEM. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  /** The trusted CAs of client certificates. */
  readonly clientCa: string;
  /** Selected by SNI; the first match counts. */
  readonly named?: readonly NamedPair[];
}

export interface ListenTls extends TlsMaterial {
  /** 1.2 by default. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL names of TLS 1.2 cipher suites; those of 1.3 are always enabled. */
  readonly cipherSuites?: readonly string[];
  /** Calls back with new options. Returns the unsubscribe function. */
  readonly onRenewal?: (show: (material: TlsMaterial) => void) => () => void;
}

/** The TLS 1.3 cipher suites, fastest first. */
const modernSuites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** AEAD cipher suites, fastest first. CBC suites have been attacked since 2013 (Lucky 13). */
const usualSuites = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/** The TLS contexts of a port: one per certificate. They are replaced as a whole. */
export class TlsContexts {
  readonly #settings: SecureContextOptions;
  #byName: readonly { readonly names: readonly string[]; readonly context: SecureContext }[] = [];

  constructor({ minVersion = 'TLSv1.2', cipherSuites = usualSuites }: ListenTls) {
    const ciphers = [...modernSuites, ...cipherSuites].join(':');
    this.#settings = { minVersion, ciphers, honorCipherOrder: true };
  }

  /** The default options of the port. @throws a system error for invalid PEM */
  use({ cert, key, clientCa: ca, named = [] }: TlsMaterial): SecureContextOptions {
    const options = { ...this.#settings, cert, key, ca };
    // Validated here, where an error keeps the previous options.
    createSecureContext(options);
    this.#byName = named.map((pair) => ({
      names: pair.names,
      context: createSecureContext({ ...options, cert: pair.cert, key: pair.key }),
    }));
    return options;
  }

  /** The context for a name; undefined for the default. */
  find(name: string): SecureContext | undefined {
    const asked = name.toLowerCase();
    const wildcard = asked.replace(/^[^.]+/, '*');
    const fits = (one: string) => one === asked || one === wildcard;
    return this.#byName.find(({ names }) => names.some(fits))?.context;
  }
}

/** Prefers HTTP/2 to HTTP/1.1; client certificates are requested and optional. */
export function tlsOptions(tls: ListenTls, contexts: TlsContexts): TlsOptions {
  return {
    ...contexts.use(tls),
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    SNICallback: (name, show) => show(null, contexts.find(name)),
  };
}
