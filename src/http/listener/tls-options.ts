import {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type TlsOptions,
} from 'node:tls';

/** A certificate for some names. */
export interface NamedPair {
  /** `ilk.example.com`, `*.example.com`; in lower case. */
  readonly names: readonly string[];
  readonly cert: string;
  readonly key: string;
}

/** What a port with TLS shows and asks for, as PEM. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  /** The authorities whose client certificates are believed. */
  readonly clientCa: string;
  /** Shown to clients that ask for one of these names; the first that fits. */
  readonly named?: readonly NamedPair[];
}

export interface ListenTls extends TlsMaterial {
  /** 1.2 by default. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL's names of suites of TLS 1.2; those of 1.3 are always there. */
  readonly cipherSuites?: readonly string[];
  /** Calls back with what is shown from now on. Gives what ends that. */
  readonly onRenewal?: (show: (material: TlsMaterial) => void) => () => void;
}

/** Those of TLS 1.3, the fastest first. */
const modernSuites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** Suites that encrypt and authenticate at once, the fastest first. Those of CBC are attacked since 2013 (Lucky 13). */
const usualSuites = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/** The contexts of a port: one for each certificate that it shows. They are replaced whole. */
export class TlsContexts {
  readonly #settings: SecureContextOptions;
  #byName: readonly { readonly names: readonly string[]; readonly context: SecureContext }[] = [];

  constructor({ minVersion = 'TLSv1.2', cipherSuites = usualSuites }: ListenTls) {
    const ciphers = [...modernSuites, ...cipherSuites].join(':');
    this.#settings = { minVersion, ciphers, honorCipherOrder: true };
  }

  /** What the port shows unless another name is asked for. @throws the system's error for PEM that cannot be used */
  use({ cert, key, clientCa: ca, named = [] }: TlsMaterial): SecureContextOptions {
    const options = { ...this.#settings, cert, key, ca };
    // Seen here, where it keeps what was there before.
    createSecureContext(options);
    this.#byName = named.map((pair) => ({
      names: pair.names,
      context: createSecureContext({ ...options, cert: pair.cert, key: pair.key }),
    }));
    return options;
  }

  /** The context for a name; undefined for the usual one. */
  find(name: string): SecureContext | undefined {
    const asked = name.toLowerCase();
    const wildcard = asked.replace(/^[^.]+/, '*');
    const fits = (one: string) => one === asked || one === wildcard;
    return this.#byName.find(({ names }) => names.some(fits))?.context;
  }
}

/** HTTP/2 before HTTP/1.1; client certificates are asked for and may be missing. */
export function tlsOptions(tls: ListenTls, contexts: TlsContexts): TlsOptions {
  return {
    ...contexts.use(tls),
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    SNICallback: (name, show) => show(null, contexts.find(name)),
  };
}
