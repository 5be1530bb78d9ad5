import { posix } from 'node:path';
import { goQuote, type ServiceReference, type WebhookClientConfig } from '../meta/index.ts';
import { findService, type ServiceMap } from './service-map.ts';
import { WebhookError } from './webhook-error.ts';

/** Where the calls of one webhook go. */
export interface Endpoint {
  /** Host and port as error texts show them: those of the configuration, wherever a service really is. */
  readonly shownHost: string;
  /** The name that the certificate must be good for. */
  readonly serverName: string;
  readonly path: string;
  /** What is connected to; a service that nobody mapped has none. */
  readonly connectTo: { readonly host: string; readonly port: number } | WebhookError;
}

const httpsPort = 443;

/** Where a webhook is. Only https is spoken, whatever the scheme of a URL says. */
export function endpointOf({ address }: WebhookClientConfig, services: ServiceMap): Endpoint {
  return 'service' in address ? serviceEndpoint(address.service, services) : urlEndpoint(address.url);
}

function urlEndpoint(text: string): Endpoint {
  const [, shownHost = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (!URL.canParse(text)) {
    const connectTo = new WebhookError(`Unparsable URL: ${goQuote(text)}`);
    return { shownHost, serverName: '', path: '/', connectTo };
  }
  const url = new URL(text);
  const connectTo = connectionOf(url);
  return { shownHost, serverName: connectTo.host, path: cleanPath(url.pathname), connectTo };
}

function serviceEndpoint(service: ServiceReference, services: ServiceMap): Endpoint {
  const { namespace, name, port, path } = service;
  const serverName = `${name}.${namespace}.svc`;
  const url = findService(services, service);
  const connectTo =
    url === undefined ? new WebhookError(`service ${goQuote(name)} not found`) : connectionOf(url);
  return { shownHost: `${serverName}:${port}`, serverName, path: cleanPath(path), connectTo };
}

function connectionOf(url: URL): { readonly host: string; readonly port: number } {
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? httpsPort : Number(url.port),
  };
}

/** As client-go joins paths: no empty segments, no slash at the end. `//a//b/` is `/a/b`. */
function cleanPath(path: string): string {
  const joined = posix.normalize(`/${path}`).replace(/^\/+/, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
}
