import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownString,
} from '../meta/index.ts';
import type { LoadedObject } from '../manifests/index.ts';
import type { CheckResult } from './check-result.ts';
import { resultOf, failed, verdictOf } from './make-result.ts';
import { type Answer, pathOf, type ServedKind } from '../client/index.ts';
import type { OfflineServer } from './offline-server.ts';

/** How objects are checked. */
interface ObjectCheckOptions {
  readonly strict: boolean;
  readonly ignoreMissingSchemas: boolean;
  readonly skip: ReadonlySet<string>;
  readonly kinds: readonly ServedKind[];
}

/** Checks each object by a dry run; only the old state is written. */
export class ObjectCheck {
  readonly #server: OfflineServer;
  readonly #options: ObjectCheckOptions;
  readonly #kinds: ReadonlyMap<string, ServedKind>;
  readonly #seeded = new Set<string>();

  constructor(server: OfflineServer, options: ObjectCheckOptions) {
    this.#server = server;
    this.#options = options;
    this.#kinds = new Map(options.kinds.map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind]));
  }

  /** Writes an object of the old state, with its status. Returns a result if the server refuses it. */
  async seed(loaded: LoadedObject): Promise<CheckResult | undefined> {
    const kind = this.#kindOf(loaded.object);
    if (kind === undefined) return undefined;
    const { strict } = this.#options;
    const path = pathOf(kind, namespaceOf(loaded.object));
    const { resourceVersion: _, uid: __, ...metadata } = metadataOf(loaded.object);
    const written = { ...loaded.object, metadata };
    const made = await this.#server.call('POST', path, written);
    // The namespace `default` always exists.
    const answer =
      made.refusal?.reason === 'AlreadyExists' && kind.kind === 'Namespace'
        ? await this.#update(pathOf(kind, '', nameOf(written)), '', written)
        : made;
    if (answer.object === undefined) return verdictOf(loaded, answer, { strict });
    this.#seeded.add(pathOf(kind, namespaceOf(answer.object), nameOf(answer.object)));
    const status = own(loaded.object, 'status');
    if (status === undefined) return undefined;
    const withStatus = { ...answer.object, status };
    const refused = await this.#server.call(
      'PUT',
      `${pathOf(kind, namespaceOf(withStatus), nameOf(withStatus))}/status`,
      withStatus,
    );
    // 404: status is not a subresource, and was written with the rest.
    return refused.refusal === undefined || refused.refusal.code === 404
      ? undefined
      : verdictOf(loaded, refused, { strict });
  }

  async check(loaded: LoadedObject): Promise<CheckResult> {
    const { skip, ignoreMissingSchemas, strict } = this.#options;
    const kind = ownString(loaded.object, 'kind') ?? '';
    const apiVersion = ownString(loaded.object, 'apiVersion') ?? '';
    if (skip.has(kind) || skip.has(`${apiVersion}/${kind}`)) return resultOf(loaded, 'skipped');
    const served = this.#kindOf(loaded.object);
    if (served !== undefined) return verdictOf(loaded, await this.#ask(served, loaded.object), { strict });
    if (kind === '' || apiVersion === '') return failed(loaded, 'error', 'apiVersion and kind must be set');
    if (ignoreMissingSchemas) return resultOf(loaded, 'skipped');
    return failed(loaded, 'error', `no matches for kind "${kind}" in version "${apiVersion}"`);
  }

  #kindOf(object: KubeObject): ServedKind | undefined {
    return this.#kinds.get(`${ownString(object, 'apiVersion') ?? ''}/${ownString(object, 'kind') ?? ''}`);
  }

  /** An update if the object exists, otherwise a create. */
  async #ask(kind: ServedKind, object: KubeObject): Promise<Answer> {
    const path = pathOf(kind, namespaceOf(object));
    const query = `dryRun=All&fieldValidation=${this.#options.strict ? 'Strict' : 'Warn'}`;
    const one = pathOf(kind, namespaceOf(object), nameOf(object));
    if (this.#seeded.has(one)) return this.#update(one, query, object);
    const silent = await this.#server.createSilently(kind, object, this.#options.strict);
    if (silent !== undefined) return silent;
    const answer = await this.#server.call('POST', `${path}?${query}`, object);
    // The namespace `default` always exists.
    return answer.refusal?.reason === 'AlreadyExists' ? this.#update(one, query, object) : answer;
  }

  async #update(path: string, query: string, object: KubeObject): Promise<Answer> {
    const { object: present = {} } = await this.#server.call('GET', path);
    const { uid: _, ...metadata } = metadataOf(object);
    const resourceVersion = metadataString(present, 'resourceVersion');
    const body = { ...object, metadata: { ...metadata, resourceVersion } };
    const answer = await this.#server.call('PUT', `${path}?${query}`, body);
    const status = own(object, 'status');
    return status === undefined || answer.object === undefined
      ? answer
      : this.#updateStatus(`${path}/status?${query}`, answer, { ...answer.object, status });
  }

  /** The main endpoint ignores a status that is a subresource: the status endpoint checks it. */
  async #updateStatus(path: string, main: Answer, object: KubeObject): Promise<Answer> {
    const answer = await this.#server.call('PUT', path, object);
    if (answer.refusal?.code === 404) return main;
    const warnings = new Set([...main.warnings, ...answer.warnings]);
    return {
      ...answer,
      object: answer.object && { ...main.object, status: own(answer.object, 'status') ?? {} },
      warnings: [...warnings],
    };
  }
}
