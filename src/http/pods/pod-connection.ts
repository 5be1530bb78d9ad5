import {
  badRequestError,
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  notFoundError,
  own,
  ownList,
  ownObject,
  ownString,
  routeMethodError,
  StatusError,
} from '../../meta/index.ts';
import { type Registry, targetOf } from '../../registry/index.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';
import type { ResourcePath } from '../request-info.ts';

/** A subresource of pods that a kubelet or the pod itself answers in a cluster. */
export interface PodConnectionKind {
  /** As in discovery. */
  readonly verbs: readonly string[];
  readonly methods: readonly string[];
  /** True if further segments of the path belong to the request. */
  readonly takesPath?: boolean;
  respond(request: PodConnection): Promise<HttpResponse> | HttpResponse;
}

/** The dependencies of connections to pods. */
export interface PodConnectionParts {
  readonly registry: Registry;
  /** True if pods and nodes are simulated. */
  readonly simulatesPods: boolean;
}

/** @throws {StatusError} 405 for other methods, and the refusals of the kind */
export async function podConnectionResponse(
  http: HttpRequest,
  path: ResourcePath,
  { kind, parts }: { readonly kind: PodConnectionKind; readonly parts: PodConnectionParts },
): Promise<HttpResponse> {
  if (!kind.methods.includes(http.method)) throw routeMethodError();
  return kind.respond(new PodConnection(http, path, parts));
}

/** One request that a kubelet would answer. Source: kubernetes, pkg/registry/core/pod/strategy.go. */
export class PodConnection {
  readonly http: HttpRequest;
  readonly path: ResourcePath;
  readonly simulatesPods: boolean;
  readonly #registry: Registry;

  constructor(http: HttpRequest, path: ResourcePath, { registry, simulatesPods }: PodConnectionParts) {
    this.http = http;
    this.path = path;
    this.simulatesPods = simulatesPods;
    this.#registry = registry;
  }

  /** @throws {StatusError} 404 */
  async pod(): Promise<KubeObject> {
    const { name, namespace } = this.path;
    const pod = await this.#read('pods', namespace, name);
    if (pod === undefined) throw notFoundError({ group: '', resource: 'pods' }, name);
    return pod;
  }

  /**
   * The container of the request, or the only one.
   *
   * @throws {StatusError} 400 where there is none, or several
   */
  container(pod: KubeObject): string {
    const names = ['initContainers', 'containers', 'ephemeralContainers'].map((list) =>
      containerNames(pod, list),
    );
    const all = names.flat();
    const asked = this.http.query.get('container') ?? '';
    if (asked !== '') {
      if (all.includes(asked)) return asked;
      throw badRequestError(`container ${asked} is not valid for pod ${nameOf(pod)}`);
    }
    const only = names[1]?.length === 1 ? names[1][0] : undefined;
    if (only !== undefined) return only;
    const choices = all.join(' ');
    throw badRequestError(
      `a container name must be specified for pod ${nameOf(pod)}, choose one of: [${choices}]`,
    );
  }

  /**
   * The address of the kubelet of a node: `10.0.0.1:10250`.
   *
   * @throws {StatusError} 404 without the node, with the kind that upstream names; 500 for a node without addresses
   */
  async kubeletAddress(nodeName: string): Promise<string> {
    const node = await this.#read('nodes', '', nodeName);
    if (node === undefined) throw notFoundError({ group: '', resource: 'pods' }, nodeName);
    const status = ownObject(node, 'status') ?? {};
    const addresses = (ownList(status, 'addresses') ?? []).filter(isObject);
    const address = preferredAddress(addresses);
    if (address === undefined) {
      const message = `no preferred addresses found; known addresses: [${addresses.map(addressText).join(' ')}]`;
      throw new StatusError({ code: 500, message });
    }
    const endpoint = ownObject(ownObject(status, 'daemonEndpoints') ?? {}, 'kubeletEndpoint') ?? {};
    const port = Number(own(endpoint, 'Port') ?? 0);
    return `${address}:${port > 0 ? port : kubeletPort}`;
  }

  async #read(resource: string, namespace: string, name: string): Promise<KubeObject | undefined> {
    const served = this.#registry.catalog.find('', 'v1', resource);
    return served && this.#registry.readStored(targetOf(served, namespace), name);
  }
}

const kubeletPort = 10_250;
/** Upstream's default of `--kubelet-preferred-address-types`. */
const addressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

function preferredAddress(addresses: readonly JsonObject[]): string | undefined {
  const found = addressTypes.flatMap((type) => addresses.filter((one) => own(one, 'type') === type));
  return found.map((one) => ownString(one, 'address')).find((text) => text !== undefined);
}

/** As Go prints the structure. */
function addressText(address: JsonObject): string {
  return `{${ownString(address, 'type') ?? ''} ${ownString(address, 'address') ?? ''}}`;
}

function containerNames(pod: KubeObject, list: string): string[] {
  const containers = (ownList(ownObject(pod, 'spec') ?? {}, list) ?? []).filter(isObject);
  return containers.map((container) => ownString(container, 'name') ?? '');
}

/** The node of a pod; empty if there is none. */
export function nodeNameOf(pod: KubeObject): string {
  return ownString(ownObject(pod, 'spec') ?? {}, 'nodeName') ?? '';
}

/** 500 for a request to a kubelet. Where upstream says why the connection failed, this says that none was tried. */
export function noKubeletError(url: string): StatusError {
  return new StatusError({ code: 500, message: `Get "${url}": this server does not connect to kubelets` });
}
