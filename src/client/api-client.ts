import { decodeJson, encodeJson } from '../codec/index.ts';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  type Status,
  stringList,
} from '../meta/index.ts';

/** `fetch` for a server in this process. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** The location of a kind's objects. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** `/apis/example.com/v1` */
  readonly path: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The server's response: the object, or the Status of a refusal. */
export interface Answer {
  readonly object: KubeObject | undefined;
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

const pageObjects = 500;

/** The requests of the offline commands. */
export class ApiClient {
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Sends one request with a JSON body. */
  async call(
    method: string,
    path: string,
    body?: KubeObject,
    contentType = 'application/json',
  ): Promise<Answer> {
    const headers = { 'content-type': contentType };
    const init = body === undefined ? { method } : { method, headers, body: encodeJson(body) };
    const response = await this.#fetch(path, init);
    const { value } = decodeJson(Buffer.from(await response.arrayBuffer()));
    const object = isObject(value) ? value : {};
    const warnings = warningsOf(response.headers.get('warning') ?? '');
    if (response.status < 400) return { object, refusal: undefined, warnings };
    // The server refuses with a Status and guarantees its shape.
    return { object: undefined, refusal: object as unknown as Status, warnings };
  }

  /** All kinds in all served versions, a group's preferred version first. */
  async kinds(): Promise<ServedKind[]> {
    const kinds = servedKinds('/api/v1', (await this.call('GET', '/api/v1')).object ?? {});
    const { object: groups = {} } = await this.call('GET', '/apis');
    for (const path of (ownList(groups, 'groups') ?? []).filter(isObject).flatMap(groupPaths)) {
      kinds.push(...servedKinds(path, (await this.call('GET', path)).object ?? {}));
    }
    return kinds;
  }

  /** All objects of a kind, read page by page. */
  async *objects({ path, resource, apiVersion, kind }: ServedKind): AsyncGenerator<KubeObject> {
    let token = '';
    do {
      const query = `limit=${pageObjects}&continue=${encodeURIComponent(token)}`;
      const { object: list = {} } = await this.call('GET', `${path}/${resource}?${query}`);
      for (const item of (ownList(list, 'items') ?? []).filter(isObject)) yield { ...item, apiVersion, kind };
      token = ownString(ownObject(list, 'metadata') ?? {}, 'continue') ?? '';
    } while (token !== '');
  }
}

function groupPaths(group: JsonObject): string[] {
  const versions = (ownList(group, 'versions') ?? []).filter(isObject);
  return versions.map((version) => `/apis/${ownString(version, 'groupVersion') ?? ''}`);
}

function servedKinds(path: string, list: JsonObject): ServedKind[] {
  const resources = (ownList(list, 'resources') ?? []).filter(isObject);
  return resources
    .filter((one) => ownString(one, 'name')?.includes('/') === false)
    .map((one) => ({
      apiVersion: path.replace(/^\/apis?\//, ''),
      kind: ownString(one, 'kind') ?? '',
      path,
      resource: ownString(one, 'name') ?? '',
      namespaced: own(one, 'namespaced') === true,
      verbs: stringList(own(one, 'verbs')),
    }));
}

/** The URL path of an object, existing or not. */
export function pathOf({ path, resource, namespaced }: ServedKind, namespace: string, name = ''): string {
  const collection = namespaced
    ? `${path}/namespaces/${segment(namespace || 'default')}/${resource}`
    : `${path}/${resource}`;
  return name === '' ? collection : `${collection}/${segment(name)}`;
}

/** URLs resolve `.` and `..`, even if escaped. No object has such a name; nor does any name contain `%00`. */
function segment(name: string): string {
  return name === '.' || name === '..' ? `%00${name}` : encodeURIComponent(name);
}

/** The messages of `Warning: 299 - "..."` headers, which fetch joins. */
function warningsOf(header: string): string[] {
  const utf8 = Buffer.from(header, 'latin1').toString();
  return [...utf8.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}
