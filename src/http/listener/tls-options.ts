import type { TlsOptions } from 'node:tls';

/** What a port with TLS shows and asks for, as PEM. */
export interface ListenTls {
  readonly cert: string;
  readonly key: string;
  /** The authorities whose client certificates are believed. */
  readonly clientCa: string;
}

/** Suites that encrypt and authenticate at once, the fastest first. Those of CBC are attacked since 2013 (Lucky 13). */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** TLS 1.2 and 1.3, HTTP/2 before HTTP/1.1; client certificates are asked for and may be missing. */
export function tlsOptions({ cert, key, clientCa }: ListenTls): TlsOptions {
  return {
    cert,
    key,
    ca: clientCa,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
    ALPNProtocols: ['h2', 'http/1.1'],
  };
}
