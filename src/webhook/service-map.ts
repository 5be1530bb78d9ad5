import { checkDns1035Label, checkDnsLabel, type ServiceReference } from '../meta/index.ts';

/** Where the services that webhooks are reached through really listen: there is no cluster here that would know. */
export type ServiceMap = ReadonlyMap<string, URL>;

/** A mapping that cannot be used; the message says why. */
export class ServiceMapError extends Error {
  override readonly name = 'ServiceMapError';
}

const form = '<namespace>/<name>:<port>=https://<host>:<port>';

/**
 * Reads mappings of the form `namespace/name:port=https://host:port`; the first port may be left out and is 443 then.
 *
 * @throws {ServiceMapError} for anything else, and for a service that is mapped twice
 */
export function parseServiceMap(mappings: readonly string[]): ServiceMap {
  const services = new Map<string, URL>();
  for (const mapping of mappings) {
    const [service, url] = parseMapping(mapping);
    if (services.has(service)) throw new ServiceMapError(`${service} is mapped twice`);
    services.set(service, url);
  }
  return services;
}

function parseMapping(mapping: string): [string, URL] {
  const [, namespace = '', name = '', port = '443', address = ''] =
    /^([^/:=]+)\/([^/:=]+)(?::(\d+))?=(.+)$/s.exec(mapping) ?? [];
  if (address === '') throw new ServiceMapError(`${mapping} is not of the form ${form}`);
  const wrong = [...checkDnsLabel(namespace), ...checkDns1035Label(name)];
  if (wrong.length > 0) throw new ServiceMapError(`${namespace}/${name}: ${wrong.join(', ')}`);
  if (Number(port) < 1 || Number(port) > 65_535) throw new ServiceMapError(`${port} is not a port`);
  return [`${namespace}/${name}:${Number(port)}`, endpointOf(address)];
}

/** The path of a call is the webhook's own, so the endpoint has none. */
function endpointOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.protocol !== 'https:' || url.hostname === '') {
    throw new ServiceMapError(`${address} is not of the form https://<host>:<port>`);
  }
  if (url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new ServiceMapError(`${address} must have nothing but a host and a port`);
  }
  return url;
}

/** Where a service listens; undefined where nobody said. */
export function findService(services: ServiceMap, service: ServiceReference): URL | undefined {
  return services.get(`${service.namespace}/${service.name}:${service.port}`);
}
