import { type Certificates, kubeconfigText, makeCertificates } from '../auth/index.ts';
import {
  type Listening,
  type ListenOptions,
  type ListenTls,
  listen,
  type RequestHandler,
} from '../http/index.ts';

/** The address and protocol of a server. */
export interface ListenAddress {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** HTTPS with these certificates, HTTPS with new ones, or plain HTTP. */
  readonly tls: Certificates | boolean;
  /** TLS settings, and certificates that are loaded later. */
  readonly tlsSettings?: Pick<ListenTls, 'minVersion' | 'cipherSuites' | 'named' | 'onRenewal'>;
  /** Names and addresses of new certificates, besides the host. */
  readonly certificateHosts?: readonly string[];
}

/** Plain HTTP on a free port of the loopback interface. */
export const defaultListen: ListenAddress = Object.freeze({ host: '127.0.0.1', port: 0, tls: false });

/** The open port of a server, if it has one. */
export interface ServerListener {
  readonly url: string;
  readonly kubeconfig: string;
  readonly caPem: string | undefined;
  readonly listening: Listening | undefined;
  /** The TLS certificates of the port; undefined for plain HTTP. */
  readonly certificates: Certificates | undefined;
  /** The options for a fork of the server: the same on a free port, with the same certificates. */
  readonly another: ListenAddress | false;
}

const noListener: ServerListener = Object.freeze({
  url: '',
  kubeconfig: '',
  caPem: undefined,
  listening: undefined,
  certificates: undefined,
  another: false,
});

/** What a listener needs. */
interface ListenerParts
  extends Pick<
    ListenOptions,
    'counts' | 'buffers' | 'slices' | 'onError' | 'log' | 'reusePort' | 'threads' | 'ticketKey'
  > {
  readonly handler: RequestHandler;
  /** The administrator's token, if there are no certificates. */
  readonly token: string;
}

/** An address with its certificates; new ones are made if it asks for them. */
interface SettledAddress extends ListenAddress {
  readonly tls: Certificates | false;
}

/** Makes the certificates that an address asks for. */
export async function settleAddress(address: ListenAddress | false): Promise<SettledAddress | false> {
  return address && { ...address, tls: (await certificatesOf(address)) ?? false };
}

/** Opens a port for a handler, unless ports are off. */
export async function openListener(
  address: SettledAddress | false,
  { handler, token, ...watchers }: ListenerParts,
): Promise<ServerListener> {
  if (address === false) return noListener;
  const { host, port, tlsSettings, certificateHosts = [] } = address;
  const certificates = address.tls === false ? undefined : address.tls;
  const tls = certificates && {
    cert: certificates.server.certPem,
    key: certificates.server.keyPem,
    clientCa: certificates.clientCaPem ?? certificates.ca.certPem,
    ...tlsSettings,
  };
  const listening = await listen(handler, { host, port, tls, hostNames: certificateHosts, ...watchers });
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `${tls === undefined ? 'http' : 'https'}://${shown.includes(':') ? `[${shown}]` : shown}:${listening.port}`;
  const caPem = certificates?.serverCaPem ?? certificates?.ca.certPem;
  const kubeconfig = kubeconfigText({ server: url, caPem, user: certificates?.admin ?? { token } });
  const another = { ...address, port: 0 };
  return { url, kubeconfig, caPem, listening, certificates, another };
}

async function certificatesOf({
  tls,
  host,
  certificateHosts,
}: ListenAddress): Promise<Certificates | undefined> {
  if (tls === false) return undefined;
  if (tls !== true) return tls;
  const hosts = new Set(['localhost', '127.0.0.1', '::1', host, ...(certificateHosts ?? [])]);
  return makeCertificates([...hosts], Date.now());
}
