import { checkDns1035Label, checkDnsLabel, type ServiceReference } from '../meta/index.ts';

/** The addresses of the services that webhooks refer to; Ilk has no cluster DNS or service network to resolve them. */
export type ServiceMap = ReadonlyMap<string, URL>;

/** An invalid mapping; the message is the reason. */
export class ServiceMapError extends Error {
  override readonly name = 'ServiceMapError';
}

const form = '<namespace>/<name>:<port>=https://<host>:<port>';

/**
 * Parses mappings of the form `namespace/name:port=https://host:port`; the first port defaults to 443.
 *
 * @throws {ServiceMapError} for an invalid mapping or a duplicate service
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

/** The path comes from the webhook, so the address has none. */
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

/** The address of a service; undefined without a mapping. */
export function findService(services: ServiceMap, service: ServiceReference): URL | undefined {
  return services.get(`${service.namespace}/${service.name}:${service.port}`);
}
