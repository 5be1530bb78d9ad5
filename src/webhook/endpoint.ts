import { posix } from 'node:path';
import { goQuote, type ServiceReference, type WebhookClientConfig } from '../meta/index.ts';
import { findService, type ServiceMap } from './service-map.ts';
import { WebhookError } from './webhook-error.ts';

/** Where the calls of a webhook are sent. */
export interface Endpoint {
  /** Host and port in error messages: the configured ones, even if the service is mapped elsewhere. */
  readonly shownHost: string;
  /** The name that the certificate must be valid for. */
  readonly serverName: string;
  readonly path: string;
  /** The address to connect to; undefined for a service without a mapping. */
  readonly connectTo: { readonly host: string; readonly port: number } | WebhookError;
}

const httpsPort = 443;

/** The endpoint of a webhook. Always HTTPS, whatever the scheme of a URL. */
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

/** Joins paths as client-go does: no empty segments, no trailing slash. `//a//b/` becomes `/a/b`. */
function cleanPath(path: string): string {
  const joined = posix.normalize(`/${path}`).replace(/^\/+/, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
}
