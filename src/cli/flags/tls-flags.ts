import { X509Certificate } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Certificates, KeyPair } from '../../auth/index.ts';
import type { NamedPair, TlsMaterial } from '../../http/index.ts';
import { limits, type Timers } from '../../meta/index.ts';
import { readFlagFile } from './flag-file.ts';
import { words } from './flag-values.ts';
import { fingerprintsOf } from './authentication-flags.ts';

/** kube-apiserver's TLS flags. */
export interface TlsFlags {
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly clientCaFile?: string;
  readonly tlsMinVersion: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL's names; empty means the defaults. */
  readonly tlsCipherSuites: readonly string[];
  readonly tlsSniCertKey: readonly SniFlag[];
}

/** `cert.pem,key.pem:name,*.name`; without names, those of the certificate. */
interface SniFlag {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names: readonly string[];
}

export function addTlsFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--tls-min-version <version>', 'minimum TLS version: VersionTLS12 or VersionTLS13')
        .argParser(minVersion)
        .default('TLSv1.2', 'VersionTLS12'),
    )
    .option('--tls-cipher-suites <list>', 'cipher suites for TLS 1.2, by their Go names', cipherSuites, [])
    .option(
      '--tls-sni-cert-key <cert,key:names>',
      'certificate and key files for these server names; repeatable',
      sniFlag,
      [],
    );
}

function minVersion(text: string): TlsFlags['tlsMinVersion'] {
  if (text === 'VersionTLS12') return 'TLSv1.2';
  if (text === 'VersionTLS13') return 'TLSv1.3';
  throw new InvalidArgumentError('want VersionTLS12 or VersionTLS13.');
}

const suiteForm =
  /^TLS_ECDHE_(ECDSA|RSA)_WITH_(?:AES_(128|256)_GCM_SHA(?:256|384)|(CHACHA20_POLY1305)(?:_SHA256)?)$/;

/** Cipher suites of TLS 1.3 cannot be selected, as in Go; CBC and RC4 suites are not supported. */
function cipherSuites(text: string, previous: readonly string[]): string[] {
  return words(text, previous).flatMap((name) => {
    if (/^TLS_(?:AES|CHACHA20)_/.test(name) || name.includes('-')) return name.includes('-') ? [name] : [];
    const [matched, key = '', bits = ''] = suiteForm.exec(name) ?? [];
    if (matched === undefined) throw new InvalidArgumentError(`there is no suite ${name}.`);
    if (bits === '') return [`ECDHE-${key}-CHACHA20-POLY1305`];
    return [`ECDHE-${key}-AES${bits}-GCM-SHA${bits === '128' ? '256' : '384'}`];
  });
}

function sniFlag(text: string, previous: readonly SniFlag[]): SniFlag[] {
  const [, certFile, keyFile, names = ''] = /^([^,:]+),([^,:]+)(?::(.+))?$/.exec(text) ?? [];
  if (certFile === undefined || keyFile === undefined)
    throw new InvalidArgumentError('want cert.pem,key.pem or cert.pem,key.pem:name,name.');
  const listed = names.split(',').flatMap((name) => (name === '' ? [] : [name.trim().toLowerCase()]));
  return [...previous, { certFile, keyFile, names: listed }];
}

/** The contents of the flags' files. */
interface TlsFiles {
  readonly server: KeyPair | undefined;
  readonly clientCaPem: string;
  readonly named: readonly NamedPair[];
}

/** @throws {Error} that names the flag, for an unreadable or invalid file */
async function readTlsFiles(flags: TlsFlags): Promise<TlsFiles> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile, tlsSniCertKey } = flags;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined))
    throw new Error('--tls-cert-file and --tls-private-key-file need each other');
  const server =
    tlsCertFile === undefined || tlsPrivateKeyFile === undefined
      ? undefined
      : {
          certPem: await readFlagFile('--tls-cert-file', tlsCertFile),
          keyPem: await readFlagFile('--tls-private-key-file', tlsPrivateKeyFile),
        };
  return {
    server,
    clientCaPem: clientCaFile === undefined ? '' : await readFlagFile('--client-ca-file', clientCaFile),
    named: await Promise.all(tlsSniCertKey.map(readNamed)),
  };
}

async function readNamed({ certFile, keyFile, names }: SniFlag): Promise<NamedPair> {
  const cert = await readFlagFile('--tls-sni-cert-key', certFile);
  const key = await readFlagFile('--tls-sni-cert-key', keyFile);
  return { cert, key, names: names.length > 0 ? names : namesOf(cert) };
}

function namesOf(certPem: string): string[] {
  const found = (new X509Certificate(certPem).subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g);
  return [...found].map(([, name = '']) => name.toLowerCase());
}

interface TlsParts {
  readonly made: Certificates;
  /** The authorities of proxies, which the port also accepts. */
  readonly proxyCaPem: string;
  readonly timers: Timers;
  /** Called with files that changed and are invalid: their previous content stays in effect. */
  readonly onTrouble: (error: unknown) => void;
}

/** The TLS options of a port from its flags, now and when their files change. */
export class FlagTls {
  readonly certificates: Certificates;
  readonly settings;
  readonly #flags: TlsFlags;
  readonly #parts: TlsParts;
  #known: string;
  #userCas: ReadonlySet<string>;

  /** @throws {Error} that names the flag, for an invalid file */
  static async read(flags: TlsFlags, parts: TlsParts): Promise<FlagTls> {
    return new FlagTls(flags, parts, await readTlsFiles(flags));
  }

  private constructor(flags: TlsFlags, parts: TlsParts, files: TlsFiles) {
    this.#flags = flags;
    this.#parts = parts;
    this.#known = JSON.stringify(files);
    this.#userCas = this.#userAuthorities(files);
    const { made } = parts;
    this.certificates = {
      ...made,
      clientCaPem: this.#materialOf(files).clientCa,
      ...(files.server && { server: files.server, serverCaPem: files.server.certPem }),
    };
    this.settings = {
      minVersion: flags.tlsMinVersion,
      ...(flags.tlsCipherSuites.length > 0 && { cipherSuites: flags.tlsCipherSuites }),
      named: files.named,
      onRenewal: (show: (material: TlsMaterial) => void) => this.#follow(show),
    };
  }

  /** True if a current authority of users is in the chain of a client certificate. */
  readonly isUserChain = (chain: readonly string[]): boolean => chain.some((one) => this.#userCas.has(one));

  #userAuthorities({ clientCaPem }: TlsFiles): ReadonlySet<string> {
    return fingerprintsOf(`${this.#parts.made.ca.certPem}\n${clientCaPem}`);
  }

  #materialOf({ server, clientCaPem, named }: TlsFiles): TlsMaterial {
    const { made, proxyCaPem } = this.#parts;
    const { certPem: cert, keyPem: key } = server ?? made.server;
    return { cert, key, named, clientCa: `${made.ca.certPem}\n${clientCaPem}\n${proxyCaPem}` };
  }

  #follow(show: (material: TlsMaterial) => void): () => void {
    const look = async () => {
      const files = await readTlsFiles(this.#flags);
      const text = JSON.stringify(files);
      if (text === this.#known) return;
      // Once: an invalid file is reported when it changes.
      this.#known = text;
      const authorities = this.#userAuthorities(files);
      show(this.#materialOf(files));
      this.#userCas = authorities;
    };
    return this.#parts.timers.every(limits.configPollMs, () => void look().catch(this.#parts.onTrouble));
  }
}
