import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJson, encodeJson } from '../../codec/index.ts';
import {
  type FeatureGates,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  type Status,
} from '../../meta/index.ts';
import { type IlkServer, startServer } from '../../server.ts';

/** Where the objects of a kind are. */
export interface ServedKind {
  /** `/apis/example.com/v1` */
  readonly path: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** What the server said: the object, or why not. */
export interface Answer {
  readonly object: KubeObject | undefined;
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

export const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const establishedMsMax = 30_000;
const askEstablishedEveryMs = 2;

/**
 * The server itself, without a port, in memory, and without what only a running cluster has: namespaces need not be
 * there, and nothing is collected. Whatever it says of an object, `ilk serve` says too.
 */
export class OfflineServer implements AsyncDisposable {
  readonly #server: IlkServer;

  private constructor(server: IlkServer) {
    this.#server = server;
  }

  static async start(featureGates: FeatureGates | undefined): Promise<OfflineServer> {
    const server = await startServer({
      listen: false,
      disableAdmissionPlugins: ['NamespaceLifecycle'],
      disableControllers: ['garbage-collector', 'namespace'],
      ...(featureGates === undefined ? {} : { featureGates }),
    });
    return new OfflineServer(server);
  }

  /** One request; a body goes as JSON. */
  async call(method: string, path: string, body?: KubeObject): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: encodeJson(body) };
    const response = await this.#server.fetch(path, init);
    const { value } = decodeJson(Buffer.from(await response.arrayBuffer()));
    const object = isObject(value) ? value : {};
    const warnings = warningsOf(response.headers.get('warning') ?? '');
    if (response.status < 400) return { object, refusal: undefined, warnings };
    // The server answers a refusal with a Status, whose shape it guarantees.
    return { object: undefined, refusal: object as unknown as Status, warnings };
  }

  /**
   * Waits until a CRD is served. Gives the reason where it will not be.
   */
  async established(name: string): Promise<string | undefined> {
    const path = `${crdPath}/${encodeURIComponent(name)}`;
    for (let waitedMs = 0; waitedMs < establishedMsMax; waitedMs += askEstablishedEveryMs) {
      const { object = {} } = await this.call('GET', path);
      if (condition(object, 'Established')?.status === 'True') return undefined;
      const names = condition(object, 'NamesAccepted');
      if (names?.status === 'False') return names.message;
      await sleep(askEstablishedEveryMs);
    }
    return `the CustomResourceDefinition was not established within ${establishedMsMax / 1000} s`;
  }

  /** Every kind that is served, by `example.com/v1/Widget`; of the core group, by `v1/Namespace`. */
  async kinds(): Promise<Map<string, ServedKind>> {
    const kinds = new Map<string, ServedKind>();
    const { object: core = {} } = await this.call('GET', '/api/v1');
    addKinds(kinds, '/api/v1', core);
    const { object: groups = {} } = await this.call('GET', '/apis');
    for (const path of (ownList(groups, 'groups') ?? []).filter(isObject).flatMap(groupPaths)) {
      addKinds(kinds, path, (await this.call('GET', path)).object ?? {});
    }
    return kinds;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.close();
  }
}

function condition(crd: KubeObject, type: string): { status: string; message: string } | undefined {
  const conditions = ownList(ownObject(crd, 'status') ?? {}, 'conditions') ?? [];
  const found = conditions.filter(isObject).find((one) => own(one, 'type') === type);
  return found && { status: ownString(found, 'status') ?? '', message: ownString(found, 'message') ?? '' };
}

function groupPaths(group: JsonObject): string[] {
  const versions = (ownList(group, 'versions') ?? []).filter(isObject);
  return versions.map((version) => `/apis/${ownString(version, 'groupVersion') ?? ''}`);
}

function addKinds(kinds: Map<string, ServedKind>, path: string, list: JsonObject): void {
  for (const one of (ownList(list, 'resources') ?? []).filter(isObject)) {
    const resource = ownString(one, 'name') ?? '';
    if (resource.includes('/')) continue;
    const apiVersion = path.replace(/^\/apis?\//, '');
    const namespaced = own(one, 'namespaced') === true;
    kinds.set(`${apiVersion}/${ownString(one, 'kind') ?? ''}`, { path, resource, namespaced });
  }
}

/** The texts of `Warning: 299 - "..."` headers, which fetch has joined. */
function warningsOf(header: string): string[] {
  const utf8 = Buffer.from(header, 'latin1').toString();
  return [...utf8.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}
